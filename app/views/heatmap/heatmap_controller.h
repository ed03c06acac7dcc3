// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/analysis_controller.h"
#include "app/views/heatmap/make_heatmaps.h"
#include "model/data/frame/frame.h"
#include "model/data/results/topic_results.h"
#include "ui/canvas/hover_card.h"
#include "viz/heatmap/heatmap_layout.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace headscope::ui
{
class HeatmapView;
}

namespace headscope::desktop
{

/// The heatmaps of the chosen layer and label column, one per stage, with what is next to them: match,
/// similarity of the topics and their merging. Computed when their tab is looked at; vectors are read once
/// per layer and labels.
/// @threads GUI thread
class HeatmapController : public AnalysisController
{
    Q_OBJECT

public:
    explicit HeatmapController(Study& study, QObject* parent = nullptr);
    ~HeatmapController() override;

    void leave() override;
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    [[nodiscard]] QString commandLine() const override;
    /// Computes what the mode shown lacks.
    void begin() override;
    [[nodiscard]] bool lacks() const override { return true; }

private:
    using Inputs = std::shared_ptr<const HeatmapInputs>;

    void connectStudy();
    void connectSelection();
    void onCacheOpened();
    void takeLabels();
    void takeSource();
    void takeShown();
    /// The tab no longer shows what is chosen.
    void refresh();
    [[nodiscard]] std::vector<Stage> stagesShown() const;
    void computePanels();
    void computeMatch();
    void computeMerge();
    [[nodiscard]] std::optional<HeatmapLabels> labels() const;
    /// Shows none of the three.
    void clear();
    void showEmpty();
    void showError(const Error& error);
    void noteMissingStages();

    // Defined in heatmap_outputs.cpp.
    void applyMerge();
    void saveLabelMap();
    [[nodiscard]] std::optional<ViewOutput> outputDocuments(const QString& path) const;
    [[nodiscard]] std::optional<ViewOutput> outputSimilarity(const QString& path) const;
    [[nodiscard]] std::optional<ViewOutput> outputMeans(const QString& path) const;
    /// The label map that the shown column was merged by, and the file name proposed for saving one.
    [[nodiscard]] QString labelMapFile() const;
    [[nodiscard]] QString proposedLabelMap() const;
    /// What the mode shown is as a table; nothing while it shows nothing.
    [[nodiscard]] std::optional<Frame> shownTable() const;
    [[nodiscard]] ui::HeatmapView& view() const { return *m_view; }

    [[nodiscard]] ui::HoverContent cellCard(const Heatmap& heatmap, viz::HeatmapCell cell) const;

    ui::HeatmapView* m_view = nullptr;
    bool m_panelsStale = true;
    bool m_mergeStale = true; ///< similarity
    Inputs m_inputs;          ///< of the layer and labels below; null: to be read
    LayerIndex m_inputsLayer;
    std::string m_faultSaid; ///< what was said of the topics' names
    Inputs m_matchOf;        ///< what the match shown was made of
    Stage m_matchStage = Stage::HeadOutput;
    std::map<std::string, std::string> m_appliedNames; ///< of the merged column that was made here
    std::map<std::string, std::string> m_savedNames;
    QString m_savedMap; ///< file of m_savedNames
    // Last: their destructors wait for workers.
    ui::JobRunner m_runner;
    ui::JobRunner m_matchRunner;
    ui::JobRunner m_mergeRunner;
};

} // namespace headscope::desktop
