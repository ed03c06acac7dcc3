// SPDX-License-Identifier: GPL-3.0-or-later
// Extraction by the engine, from the dialog to the open cache.
#include "app/desktop/workbench.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/jobs/job_strip.h"
#include "ui/plots/map_view.h"
#include "ui/wording.h"

#include <QFileInfo>

namespace headscope::desktop
{
namespace
{

const QString kExtractJob = QStringLiteral("extract");

} // namespace

void Workbench::connectEngine()
{
    connect(&m_engine, &EngineClient::progressed, this, [this](const Progress& progress) {
        if (ui::JobRow* row = m_window.jobStrip().row(kExtractJob))
            row->setProgress(progress);
    });
    connect(&m_engine, &EngineClient::logLine, this, [this](const QString& line) { m_window.jobStrip().addLog(line); });
    connect(&m_engine, &EngineClient::finished, this, [this](const QJsonObject& result) {
        m_window.jobStrip().end(kExtractJob);
        afterExtraction(result);
        refreshStatus();
    });
    connect(&m_engine, &EngineClient::failed, this, [this](const Error& error) {
        m_window.jobStrip().end(kExtractJob);
        refreshStatus();
        if (error.code == ErrorCode::Cancelled)
            return m_window.showNotice(tr("Extraction cancelled; no cache was written."));
        const QString sentence = ui::errorText(error);
        m_window.jobStrip().addLog(sentence);
        m_window.jobStrip().setLogShown(true);
        m_window.showNotice(tr("Extraction failed: %1").arg(sentence));
        if (!m_cache)
            m_window.mapView().setEmpty(tr("The extraction failed"), sentence, tr("Open…"), true);
    });
}

void Workbench::askExtract(const QString& model, const QString& texts)
{
    if (m_engine.running())
        return m_window.showNotice(tr("An extraction is running already; cancel it first, or wait for its end."));
    if (m_extractDialog == nullptr)
    {
        m_extractDialog = new ui::ExtractDialog(m_window.dialogs(), &m_window);
        connect(m_extractDialog, &ui::ExtractDialog::extractRequested, this, &Workbench::extract);
    }
    if (!model.isEmpty())
        m_extractDialog->setModel(model);
    if (!texts.isEmpty())
        m_extractDialog->setTexts(texts);
    m_extractDialog->open();
}

void Workbench::extract(const ui::ExtractRequest& request)
{
    m_extractTarget = request.output;
    const QString name = QFileInfo(request.output).fileName();
    ui::JobRow* row = m_window.jobStrip().begin(kExtractJob, tr("Extracting %1").arg(name));
    connect(row, &ui::JobRow::cancelRequested, &m_engine, &EngineClient::cancel);
    QStringList arguments = {request.model,
                             request.texts,
                             QStringLiteral("-o"),
                             request.output,
                             QStringLiteral("--layers"),
                             request.layers,
                             QStringLiteral("--stages"),
                             request.stages,
                             QStringLiteral("--threads"),
                             QString::number(threads())};
    if (request.overwrite)
        arguments << QStringLiteral("--overwrite");
    m_engine.start(QStringLiteral("extract"), arguments);
    refreshStatus();
}

void Workbench::afterExtraction(const QJsonObject& result)
{
    const auto documents = static_cast<std::int64_t>(result.value(u"documents").toDouble());
    m_window.showNotice(
        tr("Extracted %1 into %2.")
            .arg(ui::countText(documents, tr("document"), tr("documents")), QFileInfo(m_extractTarget).fileName()));
    open(m_extractTarget);
}

} // namespace headscope::desktop
