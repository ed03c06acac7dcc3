// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/result_table.h"
#include "app/desktop/controller.h"
#include "app/desktop/save_job.h"
#include "app/desktop/study.h"
#include "app/desktop/workflows/make_heatmaps.h"
#include "model/data/topic_results.h"
#include "ui/plots/hover_card.h"
#include "viz/heatmap/heatmap_painter.h"

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

/// The heatmaps of the chosen layer and label column, one per stage, with what stands beside them: match,
/// similarity of the topics and their merging. Computed when their tab is looked at; vectors are read once
/// per layer and labels.
/// @threads GUI thread
class HeatmapController : public Controller
{
    Q_OBJECT

public:
    explicit HeatmapController(Study& study, QObject* parent = nullptr);
    ~HeatmapController() override;

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override
    {
        return m_runner.running() || m_matchRunner.running() || m_mergeRunner.running() || m_save.busy();
    }

private:
    using Inputs = std::shared_ptr<const HeatmapInputs>;

    void registerView();
    void connectStudy();
    void connectSelection();
    void takeCache();
    void takeLabels();
    void takeSource();
    void takeShown();
    /// The tab no longer shows what is chosen.
    void refresh();
    /// Computes what the mode shown lacks.
    void compute();
    void computePanels();
    void computeMatch();
    void computeMerge();
    void applyMerge();
    void saveLabelMap();
    [[nodiscard]] std::optional<HeatmapLabels> labels() const;
    void showEmpty();
    void showError(const Error& error);
    void noteMissingStages();

    // heatmap_outputs.cpp
    void save(const QString& path);
    void saveDocuments(const QString& path);
    void saveSimilarity(const QString& path);
    void saveMeans(const QString& path);
    void copy() const;
    [[nodiscard]] QString commandLine() const;
    /// That the column shown was merged by, and where one would be saved.
    [[nodiscard]] QString labelMapFile() const;
    [[nodiscard]] QString proposedLabelMap() const;
    /// What the mode shown is as a table; nothing while it shows nothing.
    [[nodiscard]] std::optional<cli::ResultTable> shownTable() const;
    [[nodiscard]] ui::HeatmapView& view() const;

    [[nodiscard]] ui::HoverContent cellCard(const Heatmap& heatmap, viz::HeatmapCell cell) const;

    Study& m_study;
    bool m_stale = true;      ///< heatmaps
    bool m_mergeStale = true; ///< similarity
    Inputs m_inputs;          ///< of the layer and labels below; null: to be read
    LayerIndex m_inputsLayer;
    Inputs m_matchOf; ///< what the match shown was made of
    Stage m_matchStage = Stage::HeadOutput;
    std::map<std::string, std::string> m_appliedNames; ///< of the merged column that was made here
    std::map<std::string, std::string> m_savedNames;
    QString m_savedMap; ///< file of m_savedNames
    SaveJob m_save;
    // Last: their destructors wait for workers.
    ui::JobRunner m_runner;
    ui::JobRunner m_matchRunner;
    ui::JobRunner m_mergeRunner;
};

} // namespace headscope::desktop
