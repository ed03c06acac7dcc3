// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/analysis_controller.h"
#include "app/desktop/shell/live_results.h"
#include "app/views/layers/measure_layers.h"

#include <QJsonObject>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::ui
{
class LayersView;
}

namespace headscope::desktop
{

/// The measures of all layers of the cache, stage by stage in the background; begun when their tab is
/// first looked at.
/// @threads GUI thread
class LayersController : public AnalysisController
{
    Q_OBJECT

public:
    explicit LayersController(Study& study, QObject* parent = nullptr);

    void leave() override;
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] ui::LayersView& view() const { return *m_view; }

Q_SIGNALS:
    /// The user wants a cache with all layers of this model.
    void extractRequested(const QString& model);

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    [[nodiscard]] QString commandLine() const override;
    [[nodiscard]] bool isDrawnByCommand() const override;
    void begin() override;

private:
    void connectView();
    void onCacheOpened();
    void takeChoice();
    [[nodiscard]] std::int64_t countOf(const std::vector<std::int64_t>& documents) const;
    [[nodiscard]] QString documentsText(const std::vector<std::int64_t>& documents) const;
    /// Whether what is shown is what a run of now would give.
    [[nodiscard]] bool isOfNow() const;
    [[nodiscard]] LayersRequest request() const;
    [[nodiscard]] double estimate(const LayersRequest& request) const;
    void measure();
    /// @param limit  seconds that a run may take which the user did not start; 0: no limit
    void start(double limit);
    void take(const LayersMeasured& measured);
    void finish(Result<LayersMeasured> done);
    void showNote(const QString& outcome = {});
    void goTo(LayerIndex layer);

    ui::LayersView* m_view = nullptr; ///< of the window
    /// Of this cache, m_heads and m_documents, with whatever labels.
    std::map<std::pair<LayerIndex, Stage>, std::shared_ptr<const LayerMeasures>> m_known;
    std::vector<std::int64_t> m_heads;                 ///< of what is known and shown
    std::vector<std::int64_t> m_documents;             ///< the same; empty: all
    std::string m_labels;                              ///< digest of the labels that the purity shown is of
    mutable std::pair<LayerList, QJsonObject> m_state; ///< what saveState() made last, and of what
    LayersPace m_pace;                                 ///< speed of this machine, measured since the program started
    double m_workOfAll = 0;                            ///< of the run that continues
    LayersMeasured m_progress;                         ///< of that run, without its measures
    int m_runThreads = 1;
    LiveResults<LayersMeasured> m_live;
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop
