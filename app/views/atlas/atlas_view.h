// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/atlas/atlas_bar.h"
#include "model/data/model_info.h"
#include "model/data/results/head_measures.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"
#include "viz/atlas/head_grid.h"
#include "viz/atlas/head_scatter.h"
#include "viz/color/head_palette.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace headscope::ui
{

class AtlasCanvas;
class AtlasTable;
class ViewPages;

inline constexpr ViewId kAtlasView("atlas");

/// The atlas: every head of the model by any two of its measures, as dots, as a grid of layers and heads, as a table.
/// Shows all heads, whichever are chosen: here they are chosen.
class AtlasView : public View
{
    Q_OBJECT

public:
    explicit AtlasView(QWidget* parent = nullptr);

    [[nodiscard]] AtlasBar* bar() const { return m_bar; }
    [[nodiscard]] AtlasCanvas* canvas() const { return m_canvas; }
    [[nodiscard]] AtlasTable* table() const { return m_table; }

    /// @param info  as rows of the stage fall into groups (groupedAt)
    void setModel(const ModelInfo& info, const viz::HeadPalette& palette);
    void setHeadPalette(const viz::HeadPalette& palette);
    /// Null: nothing is measured. Those of another cache than the open one are refused.
    void setMeasures(std::shared_ptr<const HeadMeasures> measures);
    [[nodiscard]] std::shared_ptr<const HeadMeasures> measures() const { return m_measures; }
    /// [L H] by which the grid orders the heads of a layer; empty: by number.
    void setPatternRanks(std::vector<std::int64_t> ranks);
    /// The layer that the window shows, and its chosen heads (all of them: none stands out).
    void setChosen(LayerIndex layer, const std::vector<std::int64_t>& heads);
    void setMarked(std::vector<HeadPlace> marked);
    [[nodiscard]] const std::vector<HeadPlace>& marked() const { return m_marked; }
    /// A head of the shown layer that is under the pointer somewhere.
    void setHoveredHead(std::optional<HeadIndex> head);
    /// What is said of layers that are not measured, with the way to get them; "": nothing.
    void setLack(const QString& text, const QString& action);
    [[nodiscard]] QString lackText() const;
    /// Whether there is a page to show: a cache is open.
    void setFilled(bool filled);
    /// What the shown measures are, a sentence each.
    [[nodiscard]] QString definitions() const;
    /// What a screen reader says about the content of the tab.
    [[nodiscard]] QString summary() const;

    /// Heads that have a dot.
    [[nodiscard]] const std::vector<viz::HeadDot>& shownDots() const;
    /// What is shown, in the colours of paper.
    [[nodiscard]] viz::HeadDots paperDots() const;
    [[nodiscard]] viz::HeadGrid paperGrid() const;
    /// What stands out, without what is under the pointer.
    [[nodiscard]] viz::HeadMarks marks() const;

Q_SIGNALS:
    void lackActionRequested();
    void headClicked(const headscope::HeadPlace& head);
    void headHovered(std::optional<headscope::HeadIndex> head);
    void headsPicked(const std::vector<headscope::HeadPlace>& heads, Qt::KeyboardModifiers keys);
    void unmarkRequested();
    /// An HDF5 file was dropped on the view.
    void fileDropped(const QString& path);
    /// Other measures, or another form of them, are shown.
    void shownChanged();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void refresh();
    void refreshMarks();
    /// That the last layer's points are of normed vectors, where some are; "" elsewhere.
    [[nodiscard]] QString finalNormText() const;
    void refreshDefinitions();

    ViewPages* m_pages = nullptr;
    QStackedWidget* m_stack = nullptr;
    AtlasCanvas* m_canvas = nullptr;
    AtlasTable* m_table = nullptr;
    QLabel* m_definitions = nullptr;
    QWidget* m_lack = nullptr;
    QLabel* m_lackText = nullptr;
    QPushButton* m_lackButton = nullptr;
    AtlasBar* m_bar = nullptr;
    ModelInfo m_info;
    viz::HeadPalette m_palette;
    std::shared_ptr<const HeadMeasures> m_measures;
    std::vector<std::int64_t> m_ranks;
    LayerIndex m_layer;
    std::vector<std::int64_t> m_heads;
    std::vector<HeadPlace> m_marked;
};

} // namespace headscope::ui
