// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/axis/legend_painter.h"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QLineEdit;
class QMenu;
class QScrollBar;
class QToolButton;

namespace headscope::ui
{

/// The interactive legend: a click isolates a colour, a click on its eye or Ctrl+click hides or shows it, dragging a
/// label, a KV group or a head moves it to another place. Tab and the arrow keys reach every entry; Enter isolates, H
/// hides or shows, Alt+Up and Alt+Down move; the context menu has all of it in words. It folds to its title; a legend
/// higher than its room scrolls, one of many labels has a search field.
class LegendWidget : public QWidget
{
    Q_OBJECT

public:
    /// From this number of labels on there is a search field.
    static constexpr int kSearchFrom = 16;
    static constexpr double kWidest = 260;

    explicit LegendWidget(QWidget* parent);

    /// Lays out a legend in at most this room and takes the size it needs.
    void setLegend(const viz::Legend& legend, double maxHeight, double maxWidth = kWidest);
    /// Entries whose points are hidden or pale.
    void setFaded(std::vector<viz::LegendHit> faded);
    /// Whether entries were moved, so that their order can be reset.
    void setReordered(bool reordered) { m_reordered = reordered; }
    /// Entries can be shown alone, and nothing else: no eyes, no moving.
    void setPlain(bool plain) { m_plain = plain; }
    /// The title alone.
    void setFolded(bool folded);
    [[nodiscard]] bool isFolded() const { return m_folded; }

    [[nodiscard]] double maximumLegendHeight() const { return m_maxHeight; }
    /// As if nothing was scrolled.
    [[nodiscard]] const viz::LegendLayout& layoutOfLegend() const { return m_layout; }
    /// Where an entry is in the widget now; perhaps outside, to be scrolled to.
    [[nodiscard]] std::optional<QRectF> placeOfEntry(const viz::LegendHit& hit) const;
    [[nodiscard]] const std::vector<viz::LegendHit>& faded() const { return m_faded; }
    /// The entry the keys act on.
    [[nodiscard]] std::optional<viz::LegendHit> current() const;
    /// What an entry is called: "Cooking", "KV3", "head 7".
    [[nodiscard]] QString nameOf(const viz::LegendHit& hit) const;
    [[nodiscard]] QLineEdit* searchField() const { return m_search; }
    [[nodiscard]] QScrollBar* scrollBar() const { return m_bar; }
    [[nodiscard]] QToolButton* foldButton() const { return m_fold; }

Q_SIGNALS:
    void isolateRequested(const headscope::viz::LegendHit& hit);
    void toggleRequested(const headscope::viz::LegendHit& hit);
    void showAllRequested();
    /// The label (its code), or the row of heads (its group), shall be before the entry that now has
    /// this place (one more than there are: last).
    void moveRequested(std::int64_t code, int place);
    void orderResetRequested();
    /// Folded, unfolded, or searched: it has another size.
    void sizeChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void buildHead();
    void refreshIcons();
    void layOut();
    void placeParts();
    [[nodiscard]] viz::Legend shownLegend() const;
    [[nodiscard]] bool isSearched() const;
    [[nodiscard]] double scrolled() const;
    [[nodiscard]] QPointF inLayout(QPointF place) const;
    void paintFrames(QPainter& painter) const;
    void setCurrent(int item);
    void showCurrent();
    void moveBy(const viz::LegendHit& hit, int steps);
    [[nodiscard]] int placeAt(QPointF place) const;
    [[nodiscard]] std::vector<viz::LegendHit> movableHits() const;
    [[nodiscard]] std::optional<int> placeOf(const viz::LegendHit& hit) const;
    [[nodiscard]] bool isMovable(const viz::LegendHit& hit) const;
    [[nodiscard]] QMenu* makeMenu(const std::optional<viz::LegendHit>& hit);
    void addPalettes(QMenu* menu);

    viz::Legend m_legend; ///< the whole of it
    viz::LegendLayout m_layout;
    std::vector<viz::LegendHit> m_hits; ///< in reading order
    std::vector<viz::LegendHit> m_faded;
    int m_current = 0;
    double m_maxHeight = 0;
    double m_maxWidth = kWidest;
    bool m_reordered = false;
    bool m_plain = false;
    bool m_folded = false;
    QLineEdit* m_search = nullptr;
    QScrollBar* m_bar = nullptr;
    QToolButton* m_palette = nullptr;
    QToolButton* m_fold = nullptr;
    std::optional<viz::LegendHit> m_pressed;
    bool m_eyePressed = false;
    std::optional<viz::LegendHit> m_hovered;
    QPointF m_pressPlace;
    std::optional<int> m_dropPlace; ///< while an entry is dragged
};

} // namespace headscope::ui
