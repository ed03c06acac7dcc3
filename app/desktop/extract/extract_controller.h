// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/engine/engine_servers.h"
#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/study.h"
#include "ui/jobs/job_runner.h"

#include <QElapsedTimer>
#include <QPointer>

#include <cstdint>
#include <memory>

namespace headscope::ui
{
class ExtractDialog;
struct ExtractRequest;
} // namespace headscope::ui

namespace headscope::desktop
{

/// Extraction by the engine, from the dialog to the cache. It goes on whatever is opened meanwhile.
/// @threads GUI thread
class ExtractController : public Controller
{
    Q_OBJECT

public:
    ExtractController(Study& study, EngineServers& engines, QObject* parent = nullptr);

    void stop() override
    {
        for (ui::JobRunner* runner : {&m_runner, &m_inspector, &m_previewRunner})
            runner->cancel();
    }
    [[nodiscard]] bool busy() const override { return m_runner.running(); }
    [[nodiscard]] QString lossOfStopping() const override;

    /// Opens the dialog, filled with model and texts; either may be empty.
    void ask(const QString& model, const QString& texts);
    /// The same, with all layers chosen.
    void askAllLayers(const QString& model);
    /// Of the extraction.
    [[nodiscard]] ui::JobRunner& runner() { return m_runner; }
    /// Process of the engine that extracts; 0: none does.
    [[nodiscard]] pid_t engineProcess() const;

Q_SIGNALS:
    void extracted(const QString& cache);
    /// The dialog shows what it was opened with: the texts' first rows or the model's card, or why there are none.
    void asked();

private:
    void makeDialog();
    void inspect(const QString& model);
    void offerModels();
    void preview(const QString& texts, bool lines, std::int64_t limit, const QString& separator);
    [[nodiscard]] QString commandOf(const ui::ExtractRequest& request) const;
    void extract(const ui::ExtractRequest& request);
    void takeExtracted(const Result<std::int64_t>& documents);
    void takeFailure(const Error& error);

    Study& m_study;
    EngineServers& m_engines;
    std::weak_ptr<EngineServer> m_engine; ///< that extracts
    QPointer<ui::ExtractDialog> m_dialog;
    QString m_target;
    Progress m_extracted;  ///< as the engine last reported it; total 0 before it extracts
    QElapsedTimer m_since; ///< since the extraction began
    // Last: their destructors wait for the workers.
    ui::JobRunner m_runner;
    ui::JobRunner m_inspector;     ///< asks what a model is before it runs
    ui::JobRunner m_previewRunner; ///< reads the first rows of texts
};

/// What stopping an extraction would interrupt, and what is kept of it, in a sentence.
/// @param file       the cache it makes
/// @param extracted  progress of the extraction stage; total 0 before it begins
/// @param seconds    since the job began
[[nodiscard]] QString extractionLoss(const QString& file, const Progress& extracted, double seconds);

} // namespace headscope::desktop
