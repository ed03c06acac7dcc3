// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/probe/probe_bar.h"
#include "app/views/probe/probe_charts.h"
#include "model/data/model_info.h"
#include "model/data/selection.h"
#include "ui/models/probe_table_model.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"
#include "viz/color/head_palette.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

class QLabel;
class QSplitter;
class QTableView;
class QTimer;

namespace headscope::ui
{

class ConfusionPane;
class ProbeBaselineModel;
class RecallChart;
class SweepChart;
class ViewPages;

inline constexpr ViewId kProbeView("probe");

/// The probe tab: a table with one row per layer and stage (Table 1 of the paper that README.md cites), under it the
/// sweep over the layers, the recall and scores of each head, and the confusion matrix of the row that is looked at.
/// Rows may come one by one while a sweep runs.
class ProbeView : public View
{
    Q_OBJECT

public:
    using Place = ProbeTableModel::Place;
    /// What the lower left shows.
    using Page = ProbeCharts::Page;

    explicit ProbeView(QWidget* parent = nullptr);

    /// What a screen reader says about the content of the tab.
    [[nodiscard]] QString summary() const;
    [[nodiscard]] ProbeTableModel* model() const { return m_model; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] PictureOf<RecallChart>* chart() const;
    [[nodiscard]] PictureOf<SweepChart>* sweep() const;
    [[nodiscard]] ConfusionPane* confusion() const { return m_confusion; }
    [[nodiscard]] FrameModel* scores() const;
    [[nodiscard]] ProbeBaselineModel* baselines() const;
    [[nodiscard]] ProbeBar* bar() const { return m_bar; }

    /// Sets the model whose probes are shown, and removes all rows.
    /// @param held  layers of the cache, where known
    void setModelInfo(const ModelInfo& info, const viz::HeadPalette& palette, std::set<std::int64_t> held = {});
    void setPalette(const viz::HeadPalette& palette);
    void clear();
    /// Adds a finished fit; the first one is shown in detail, later ones are only added.
    void addRow(ProbeRow row);
    /// The layer and stage that the data panel shows: their row is marked, and looked at when it is there.
    void setChosen(Place place);
    /// The head that another view points at.
    void setHoveredHead(std::optional<HeadIndex> head);
    /// The row that is looked at.
    [[nodiscard]] std::optional<Place> shownPlace() const;
    void showPlace(Place place);
    void setPage(Page page);
    [[nodiscard]] Page page() const;

Q_SIGNALS:
    void trainRequested();
    void stopRequested();
    void documentsChosen(const std::vector<std::int64_t>& documents, headscope::SetOperation operation,
                         const QString& what);
    void headHovered(std::optional<headscope::HeadIndex> head);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildPage(QWidget* page);
    QWidget* buildTable(QWidget* parent);
    void showRow(int row);
    void refreshStack();
    void fitColumns();
    void refreshSweep();
    void takePlace();

    ViewPages* m_viewPages = nullptr;
    ProbeBar* m_bar = nullptr;
    QLabel* m_tableTitle = nullptr;
    QTableView* m_table = nullptr;
    ProbeTableModel* m_model = nullptr;
    FrameOrder* m_sorted = nullptr;
    QSplitter* m_vertical = nullptr;
    QSplitter* m_horizontal = nullptr;
    ProbeCharts* m_charts = nullptr;
    ConfusionPane* m_confusion = nullptr;
    QTimer* m_sweepTimer = nullptr; ///< several rows that come at once are drawn once
    bool m_tableSized = false;      ///< by the user
    ModelInfo m_info;
    std::set<std::int64_t> m_held;
    viz::HeadPalette m_palette;
    std::optional<Place> m_chosen;
    bool m_placing = false; ///< the program chooses a row
};

} // namespace headscope::ui
