// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/explain_result.h"

#include "app/desktop/shell/model_choice.h"
#include "app/views/ablation/model_texts.h"
#include "app/views/circuits/measure_circuits.h"
#include "app/views/retrieval/result_heads.h"
#include "ui/words/wording.h"

#include <QFileInfo>

#include <utility>

namespace headscope::desktop
{

ExplainResult::ExplainResult(Study& study, EngineServers& engines, ui::ResultHeads& panel, QObject* parent)
    : QObject(parent), m_study(study), m_engines(engines), m_panel(panel)
{
    connect(&m_panel, &ui::ResultHeads::actionRequested, this, [this] {
        if (modelOfCache(m_study).isEmpty())
            askModelOfCache(m_study, [this](const QString&) { run(); });
        else
            run();
    });
    connect(&m_runner, &ui::JobRunner::cancelled, this,
            [this] { m_panel.setWaiting(tr("Stopped. The heads were not computed."), tr("Run")); });
    forget();
}

void ExplainResult::forget()
{
    m_runner.cancel();
    m_asked.reset();
    m_panel.setWaiting(tr("Select a result above to see which heads make it similar to the query."));
}

void ExplainResult::ask(const std::optional<ExplainedResult>& result)
{
    if (!result || !m_study.cache())
        return forget();
    if (m_asked == result && (m_panel.isFilled() || m_runner.running()))
        return;
    m_asked = result;
    const std::string why =
        obstacleToRunning(m_study.cache()->reader->info().header, *m_study.cache()->overview->documents);
    if (!why.empty())
        return m_panel.setWaiting(ui::toQString(why));
    if (modelOfCache(m_study).isEmpty())
        return m_panel.setWaiting(
            tr("This runs the model of the cache, which is not known. Choose its file or folder."),
            tr("Choose model…"));
    run();
}

void ExplainResult::run()
{
    if (!m_asked || !m_study.cache())
        return;
    const QString model = modelOfCache(m_study);
    CircuitsRequest ask;
    ask.model = ui::toStdString(model);
    ask.reader = m_study.cache()->reader;
    ask.command = commands::ContributionsCommand();
    ask.query = ui::toStdString(m_asked->text);
    if (m_asked->query)
        ask.pair.push_back(m_asked->query->value());
    ask.pair.push_back(m_asked->document.value());
    ask.threads = m_study.threads();
    m_runner.cancel();
    m_panel.setWaiting(tr("Running the query and the result through %1…").arg(QFileInfo(model).fileName()));
    m_study.beginJob(QStringLiteral("resultHeads"), tr("Heads of a result"), m_runner);
    m_study.run<CircuitResultPtr>(
        m_runner,
        [ask = std::move(ask), engine = m_engines.of(model)](JobContext& job) {
            return measureCircuits(*engine, ask, job);
        },
        [this](Result<CircuitResultPtr> result) { take(std::move(result)); });
}

void ExplainResult::take(Result<CircuitResultPtr> result)
{
    if (result)
        return m_panel.setResult(*result,
                                 ui::toQString(m_study.cache()->overview->documents->ids[m_asked->document.index()]));
    if (result.error().code != ErrorCode::Cancelled)
        m_panel.setWaiting(ui::errorText(result.error()), tr("Run"));
}

} // namespace headscope::desktop
