// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/heatmap_modes.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "model/data/documents/document_set.h"
#include "model/data/documents/topic_merge.h"
#include "model/data/model_info.h"
#include "model/data/results/heatmap_panel.h"
#include "model/data/topic_vectors.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"
#include "viz/color/head_palette.h"
#include "viz/color/kept_scale.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QScrollBar;
class QStackedWidget;

namespace headscope::ui
{

class EmptyState;
class HeatmapBar;
class MatchChart;
template <class P>
class PictureOf;
class MatchPanel;
class SimilarityPage;
class TopicKey;
class TopicMeansPage;

inline constexpr ViewId kHeatmapView("heatmap");

/// The heatmap tab and its three modes: documents with the bars of match next to them, similarity of the topics with
/// merging, means of heads by topics (Figures 6 and 1 of the paper that README.md cites).
class HeatmapView : public View
{
    Q_OBJECT

public:
    using Mode = HeatmapModes::Mode;

    explicit HeatmapView(QWidget* parent = nullptr);

    [[nodiscard]] HeatmapWidget* heatmap() const { return m_heatmap; }
    [[nodiscard]] SimilarityPage* similarity() const { return m_similarity; }
    [[nodiscard]] TopicMeansPage* means() const { return m_means; }
    [[nodiscard]] PictureOf<MatchChart>* match() const;
    [[nodiscard]] MatchPanel* matchPanel() const { return m_matchPanel; }
    [[nodiscard]] HeatmapBar* bar() const { return m_bar; }
    [[nodiscard]] TopicKey* key() const { return m_key; }

    [[nodiscard]] Mode mode() const;
    void setMode(Mode mode);
    /// Whether the bars of match are wanted.
    [[nodiscard]] bool matchWanted() const;

    /// Shows a stage each, or the empty state when there are none.
    /// @param topicsInCache  categories of the label column
    void setPanels(HeatmapWidget::Panels panels, const ModelInfo& info, std::int64_t topicsInCache);
    /// The same for heatmaps without statistics and trees.
    void setHeatmaps(const std::vector<std::shared_ptr<const Heatmap>>& heatmaps, const ModelInfo& info,
                     std::int64_t topicsInCache);
    /// All stages, also those that are not shown now.
    [[nodiscard]] const HeatmapWidget::Panels& panels() const { return m_panels; }
    /// Null: none yet.
    void setMerge(std::shared_ptr<const TopicMergePath> path);
    void setMatch(std::shared_ptr<const TopicMatch> match, const viz::HeadPalette& palette);
    void setEmpty(const QString& title, const QString& text, const QString& action = {}, bool isError = false) override;
    /// Said next to what is shown: a stage that is missing, ...
    void setNotice(const QString& notice);
    /// Another label column: its topics are offered, the default ones chosen.
    void setLabels(const LabelColumn& labels);
    /// Heads that are chosen in the window, 0-based, ascending: theirs are the rows next to the full one.
    void setShownHeads(const std::vector<std::int64_t>& heads);
    /// Which rows the columns may be sorted by: the full vector and each head, or segment, of the chosen stage.
    void setHeads(std::int64_t heads, Stage stage);
    [[nodiscard]] HeatmapOptions options() const;
    [[nodiscard]] TopicVectorChoice topicVectors() const;
    /// The line that says what is shown.
    [[nodiscard]] QString shownText() const;
    /// The colour scale of the documents' heatmap.
    [[nodiscard]] const viz::ScaleChoice& scale() const { return m_scale; }
    /// The same as `headscope heatmap --scale` takes it; "": it cannot be said there.
    [[nodiscard]] std::string scaleWords() const;
    /// Another cache: the next panels set the limits of the scale, which then stay for all stages and layers.
    void forgetScale();

Q_SIGNALS:
    /// Other columns are wanted.
    void optionsChanged();
    void topicVectorsChanged();
    void modeChanged();
    void matchToggled();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* buildDocuments();
    void bindState();
    void connectParts();
    void showPage();
    void showStages();
    [[nodiscard]] std::vector<Stage> stages() const;
    void showHeads();
    [[nodiscard]] QString headsText() const;
    void refreshShown();
    void refreshScrollBar();
    void connectScale();
    void refreshScale();
    void applyScale(const viz::ScaleChoice& choice);
    [[nodiscard]] HeatmapWidget::Panels shownPanels() const;

    HeatmapWidget::Panels m_panels;
    ModelInfo m_info;
    std::int64_t m_topicsInCache = 0;
    QString m_notice;
    std::optional<std::vector<std::int64_t>> m_chosenHeads; ///< empty: not set, all are shown
    viz::ScaleChoice m_scale;
    viz::KeptScale m_kept;

    HeatmapModes* m_modes = nullptr;
    QStackedWidget* m_pages = nullptr;
    EmptyState* m_empty = nullptr;
    EmptyState* m_noHeads = nullptr;
    QWidget* m_documents = nullptr;
    HeatmapWidget* m_heatmap = nullptr;
    QScrollBar* m_scroll = nullptr;
    TopicKey* m_key = nullptr;
    MatchPanel* m_matchPanel = nullptr;
    bool m_matchWide = true;    ///< whether the bars are wanted where there is room for them
    bool m_matchNarrow = false; ///< and where they take it from the heatmap
    HeatmapBar* m_bar = nullptr;
    SimilarityPage* m_similarity = nullptr;
    TopicMeansPage* m_means = nullptr;
};

} // namespace headscope::ui
