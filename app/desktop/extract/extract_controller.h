// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/extract/engine_client.h"
#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/study.h"
#include "ui/jobs/job_runner.h"

#include <QElapsedTimer>
#include <QPointer>

namespace headscope::ui
{
class ExtractDialog;
struct ExtractRequest;
} // namespace headscope::ui

namespace headscope::desktop
{

/// Extraction by the engine, from the dialog to the cache.
/// @threads GUI thread
class ExtractController : public Controller
{
    Q_OBJECT

public:
    /// @param engine  program that runs models
    ExtractController(Study& study, const QString& engine, QObject* parent = nullptr);

    void stop() override
    {
        m_engine.cancel();
        m_inspector.cancel();
        m_previewRunner.cancel();
    }
    [[nodiscard]] bool busy() const override { return m_engine.running(); }
    [[nodiscard]] QString lossOfStopping() const override;

    /// Opens the dialog, filled with model and texts; either may be empty.
    void ask(const QString& model, const QString& texts);
    /// The same, with all layers chosen.
    void askAllLayers(const QString& model);
    [[nodiscard]] EngineClient& engine() { return m_engine; }

Q_SIGNALS:
    void extracted(const QString& cache);
    /// The dialog shows what it was opened with: the texts' first rows or the model's card, or why there are none.
    void asked();

private:
    void connectEngine();
    void connectInspector();
    void makeDialog();
    void offerModels();
    void preview(const QString& texts, bool lines, std::int64_t limit, const QString& separator);
    [[nodiscard]] QString commandOf(const ui::ExtractRequest& request) const;
    void extract(const ui::ExtractRequest& request);

    Study& m_study;
    QPointer<ui::ExtractDialog> m_dialog;
    QString m_inspected; ///< the model whose card was asked for last
    QString m_target;
    Progress m_extracted;  ///< as the engine last reported it; total 0 before it extracts
    QElapsedTimer m_since; ///< since the extraction began
    EngineClient m_engine;
    EngineClient m_inspector; ///< asks what a model is before it runs
    // Last: its destructor waits for the worker.
    ui::JobRunner m_previewRunner; ///< reads the first rows of texts
};

/// What stopping an extraction would interrupt, and what is kept of it, in a sentence.
/// @param file       the cache it makes
/// @param extracted  progress of the extraction stage; total 0 before it begins
/// @param seconds    since the job began
[[nodiscard]] QString extractionLoss(const QString& file, const Progress& extracted, double seconds);

} // namespace headscope::desktop
