// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/grid/grid_bar.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/selection.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"
#include "viz/scatter/point_coloring.h"

#include <memory>
#include <optional>

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedLayout;

namespace headscope::ui
{

class EmptyState;
class GrowOverlay;
class LegendPanel;
class MapGrid;
class ScatterWidget;

inline constexpr ViewId kGridView("grid");

/// The grid tab: small maps with their legend, one of which may grow into the full view; under it
/// the bar that runs them and says what is shown.
class GridView : public View
{
    Q_OBJECT

public:
    explicit GridView(QWidget* parent = nullptr);
    ~GridView() override;
    [[nodiscard]] bool catchingUp() const override;
    [[nodiscard]] std::optional<viz::ItemHead> headShown() const override;

    [[nodiscard]] MapGrid* grid() const { return m_grid; }
    /// The map of the grown cell.
    [[nodiscard]] ScatterWidget* full() const { return m_full; }
    [[nodiscard]] GridBar* bar() const { return m_bar; }
    [[nodiscard]] LegendPanel* legend() const { return m_legend; }

    /// Shows a set; null shows the empty state.
    void setSet(std::shared_ptr<const HeadMapSet> set);
    [[nodiscard]] std::shared_ptr<const HeadMapSet> set() const;
    void setPalette(const viz::HeadPalette& palette);
    /// index[d] is the colour of document d; nothing: each map in the colour of its head.
    void setColoring(std::optional<viz::PointColoring> coloring);
    /// Colours for each map separately, and their legend.
    void setMapColorings(std::vector<std::optional<viz::PointColoring>> own, const std::optional<viz::Legend>& legend);

    void setChosen(const std::vector<std::int64_t>& documents);
    void setShownOnly(const std::vector<std::int64_t>& documents);
    void setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head);
    void setHovered(std::optional<DocumentIndex> document);

    /// The cell that has grown, if one has.
    [[nodiscard]] std::optional<std::size_t> openedCell() const { return m_opened; }
    void openCell(std::size_t cell);
    void closeCell();
    /// The next or previous cell in the full view.
    void stepCell(int step);
    /// "28 cells, 3,947 documents".
    [[nodiscard]] QString shownText() const;

Q_SIGNALS:
    void documentClicked(headscope::DocumentIndex document, std::optional<headscope::HeadIndex> head);
    void documentsPicked(const std::vector<std::int64_t>& documents, headscope::SetOperation operation);
    void documentHovered(std::optional<headscope::DocumentIndex> document);
    void choiceCleared();
    /// A cell grew or shrank again.
    void openedChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildFullPage();
    void connectGrid();
    void refreshFull();
    void refreshShown();
    [[nodiscard]] std::shared_ptr<const HeadMap> mapOf(std::size_t cell) const;
    [[nodiscard]] QRect cellRect(std::size_t cell) const;

    QWidget* m_page = nullptr;
    QStackedLayout* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    QWidget* m_cells = nullptr;
    QScrollArea* m_scroll = nullptr;
    MapGrid* m_grid = nullptr;
    LegendPanel* m_legend = nullptr;
    QWidget* m_fullPage = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_previous = nullptr;
    QPushButton* m_next = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_numbers = nullptr;
    ScatterWidget* m_full = nullptr;
    GrowOverlay* m_overlay = nullptr;
    GridBar* m_bar = nullptr;
    std::optional<std::size_t> m_opened;
    std::shared_ptr<const PointIds> m_fullIds; ///< of a full vector in the full view: a head for each point
    std::shared_ptr<const PointIds> m_fullIdsOf;
};

} // namespace headscope::ui
