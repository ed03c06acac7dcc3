// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/head_corpus/token_colors.h"
#include "model/data/attention/token_map.h"
#include "model/data/documents/document_set.h"
#include "ui/canvas/pan_zoom.h"
#include "viz/axis/legend_painter.h"
#include "viz/geometry/spatial_grid.h"
#include "viz/scatter/scatter_painter.h"

#include <QImage>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

namespace headscope::ui
{

class HoverCard;

/// A map of the tokens of a head: queries and keys, or outputs. The point under the pointer is shown in its text, and
/// with it the other point of its token. Pans and zooms; arrow keys go from token to token, Return is a click.
/// @threads GUI thread
class TokenCanvas : public QWidget
{
    Q_OBJECT

public:
    explicit TokenCanvas(QWidget* parent = nullptr);

    /// @param documents  of the cache, for labels; may be null. A map of the same tokens keeps the view's place
    void setMap(TokenMapPtr map, std::shared_ptr<const DocumentSet> documents);
    [[nodiscard]] const TokenMapPtr& map() const { return m_map; }
    void setColor(const TokenColorChoice& choice);
    [[nodiscard]] const TokenColorChoice& color() const { return m_color; }
    [[nodiscard]] const std::shared_ptr<const DocumentSet>& documents() const { return m_documents; }
    [[nodiscard]] const viz::PointColoring& coloring() const { return m_coloring; }
    /// A token of an example is ringed where it is on the map; -1: none.
    void setMarkedToken(std::int64_t token);
    /// What is in the middle while there is no map.
    void setWaiting(const QString& text);

    [[nodiscard]] QPointF placeOf(std::int64_t point) const;
    [[nodiscard]] std::optional<std::int64_t> hoveredPoint() const { return m_hovered; }
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    [[nodiscard]] PanZoom& zoom() { return m_zoom; }
    void fit();
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QSize sizeHint() const override { return {480, 400}; }

Q_SIGNALS:
    void tokenChosen(std::int64_t token);
    void tokenHovered(std::optional<std::int64_t> token);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    void recolor();
    void layOutLegend();
    [[nodiscard]] viz::ViewTransform fitted() const;
    [[nodiscard]] viz::ScatterData data() const;
    [[nodiscard]] viz::ScatterStyle style() const;
    [[nodiscard]] std::optional<std::int64_t> pointAt(QPointF place) const;
    void hover(std::optional<std::int64_t> point);
    void stepBy(std::int64_t points);
    void paintPair(QPainter& painter, std::int64_t point) const;

    TokenMapPtr m_map;
    std::shared_ptr<const DocumentSet> m_documents;
    TokenColorChoice m_color;
    viz::PointColoring m_coloring;
    viz::LegendLayout m_legend;
    viz::SpatialGrid m_grid;
    viz::ScatterPainter m_painter;
    QImage m_picture; ///< of the points; null: to be painted
    double m_radius = 2;
    PanZoom m_zoom;
    PointerDrag m_drag;
    HoverCard* m_card;
    std::optional<std::int64_t> m_hovered;
    std::int64_t m_marked = -1;
    QString m_waiting;
};

} // namespace headscope::ui
