// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/heatmap_panel.h"
#include "viz/color/kept_scale.h"
#include "viz/heatmap/heatmap_cells.h"
#include "viz/heatmap/heatmap_layout.h"

#include <QPointF>
#include <QSizeF>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace headscope::ui
{

/// A cell of one of several heatmaps.
struct HeatmapPlace
{
    std::size_t heatmap = 0;
    viz::HeatmapCell cell;
    bool operator==(const HeatmapPlace&) const = default;
};

/// Heatmaps of one or more stages, one under the other, of the same documents as columns: what is shown of them, and
/// where it lies. No widget: sizes and places are handed in.
class HeatmapStack
{
public:
    using Panels = std::vector<std::shared_ptr<const HeatmapPanel>>;
    /// The limits that suit all panels, as the shell draws the same heatmaps.
    [[nodiscard]] static viz::ScaleLimits limitsOf(const Panels& panels);
    /// The window is kept where the columns are the same documents. The layouts stay those of the former panels until
    /// layOut() is called.
    void setPanels(Panels panels, const ModelInfo& info);
    [[nodiscard]] const Panels& panels() const { return m_panels; }
    [[nodiscard]] bool empty() const { return m_layouts.empty(); }
    [[nodiscard]] const Heatmap& heatmap(std::size_t i) const { return *m_panels[i]->heatmap; }
    [[nodiscard]] const viz::HeatmapLayout& layout(std::size_t i) const { return m_layouts[i]; }
    [[nodiscard]] const std::vector<viz::HeatmapLayout>& layouts() const { return m_layouts; }

    /// Options of rows, colours and cells; they take effect at layOut().
    HeatmapRows rows = HeatmapRows::Index;
    std::vector<std::int64_t> heads; ///< with a row; empty: all
    std::optional<viz::ScaleChoice> scale;
    viz::CellPooling pooling = viz::CellPooling::Mean;
    int threads = 1;

    /// In which rows of a usual number of heads can be told apart and pointed at.
    [[nodiscard]] int leastHeight() const;
    /// Places everything in a box from (0, 0).
    void layOut(const QSizeF& size, viz::InkTheme theme);
    /// @param lit  by column, as HeatmapPainter takes it
    void paint(QPainter& painter, double dpr, const std::vector<std::uint8_t>& lit) const;

    [[nodiscard]] const viz::HeatmapWindow& window() const { return m_window; }
    /// Shows a part in all of them, kept inside what there is.
    /// @return whether another part is shown now
    bool setWindow(const viz::HeatmapWindow& window);
    /// The part that one topic fills; nothing where there are no documents of it.
    [[nodiscard]] std::optional<viz::HeatmapWindow> windowOfTopic(std::int64_t topic) const;
    /// The part between two places of a band across the columns; nothing for a band too narrow to be meant.
    [[nodiscard]] std::optional<viz::HeatmapWindow> windowOfBand(double from, double to) const;
    /// The part that shows a cell, moved as little as need be; nothing where it is shown.
    [[nodiscard]] std::optional<viz::HeatmapWindow> windowShowing(const HeatmapPlace& place) const;
    /// Share of the columns before the part shown, and how much of them is shown.
    [[nodiscard]] std::pair<double, double> visibleShare() const;
    /// The part that begins at a share of the columns.
    [[nodiscard]] viz::HeatmapWindow windowFrom(double share) const;
    /// Two places across the columns, the left one first, kept inside them.
    /// @pre not empty()
    [[nodiscard]] std::pair<double, double> band(double from, double to) const;

    [[nodiscard]] std::optional<HeatmapPlace> placeAt(QPointF at) const;
    /// The heatmap at a height; the last one below all.
    [[nodiscard]] std::size_t panelAt(double y) const;
    /// The place that many columns and rows further, across the heatmaps in the order in which rows are shown.
    [[nodiscard]] HeatmapPlace moved(HeatmapPlace place, std::int64_t columns, std::int64_t rows) const;
    [[nodiscard]] DocumentIndex documentAt(const HeatmapPlace& place) const;
    /// Documents of a topic shown, ascending.
    [[nodiscard]] std::vector<std::int64_t> documentsOf(std::int64_t topic) const;
    /// By column, whether its document is one of these (ascending); empty for none.
    [[nodiscard]] std::vector<std::uint8_t> lit(const std::vector<std::int64_t>& documents) const;
    /// What must be said under the picture (several documents in a pixel), or "".
    [[nodiscard]] QString note(double dpr) const;

private:
    void makeLayouts(const QSizeF& size, const viz::HeatmapStyle& style);

    Panels m_panels;
    ModelInfo m_info;
    std::vector<std::shared_ptr<const viz::HeatmapCells>> m_cells; ///< of each panel
    std::vector<viz::HeatmapLayout> m_layouts;
    viz::HeatmapWindow m_window;
};

} // namespace headscope::ui
