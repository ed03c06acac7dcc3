// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/matrix_widget.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kMargin = 16;
constexpr double kBetween = 20;

} // namespace

MatrixWidget::MatrixWidget(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(200, 160);
    m_card = new HoverCard(this);
    onThemeChange(this, [this] { layOut(); });
}

void MatrixWidget::setTables(std::vector<Table> tables)
{
    hover({}, {});
    m_tables = std::move(tables);
    layOut();
}

void MatrixWidget::setScale(const viz::ScaleChoice& choice)
{
    m_scale = choice;
    layOut();
}

void MatrixWidget::setBlocks(std::vector<std::pair<std::int64_t, std::int64_t>> blocks)
{
    if (m_tables.empty())
        return;
    m_tables.front().style.blocks = std::move(blocks);
    layOut();
}

void MatrixWidget::setCardSource(std::function<HoverContent(std::size_t table, viz::HeatmapCell cell)> source)
{
    m_cardSource = std::move(source);
}

void MatrixWidget::layOut()
{
    m_layouts.clear();
    if (!m_tables.empty())
    {
        const auto count = static_cast<double>(m_tables.size());
        const double width = (this->width() - 2 * kMargin - kBetween * (count - 1)) / count;
        double left = kMargin;
        for (const Table& table : m_tables)
        {
            viz::MatrixStyle style = table.style;
            style.theme = Theme::instance().vizTheme();
            style.scale = viz::scaleOf(m_scale, style.theme);
            m_layouts.emplace_back(*table.values, table.rowNames, table.columnNames,
                                   QRectF(left, kMargin, std::max(1.0, width), std::max(1.0, height() - 2 * kMargin)),
                                   style);
            left += width + kBetween;
        }
    }
    update();
}

void MatrixWidget::paintTables(QPainter& painter, double dpr) const
{
    for (const viz::MatrixLayout& layout : m_layouts)
        layout.paint(painter, dpr);
}

void MatrixWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().colors().canvas);
    paintTables(painter, devicePixelRatioF());
    if (m_hover)
        m_layouts[m_hover->table].paintFrame(painter, m_layouts[m_hover->table].cellRect(m_hover->cell));
}

void MatrixWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

std::optional<MatrixWidget::Place> MatrixWidget::placeAt(QPointF place) const
{
    for (std::size_t i = 0; i < m_layouts.size(); ++i)
        if (const auto cell = m_layouts[i].cellAt(place))
            return Place{i, *cell};
    return std::nullopt;
}

void MatrixWidget::hover(std::optional<Place> place, QPoint at)
{
    if (place != m_hover)
    {
        m_hover = place;
        update();
        if (place)
            Q_EMIT cellHovered(place->cell.row, place->cell.column);
        else
            Q_EMIT cellHovered({}, {});
    }
    if (place && m_cardSource)
        m_card->showAt(m_cardSource(place->table, place->cell), at);
    else
        m_card->hide();
}

void MatrixWidget::mouseMoveEvent(QMouseEvent* event)
{
    hover(placeAt(event->position()), event->pos());
}

void MatrixWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mouseReleaseEvent(event);
    const QPointF at = event->position();
    if (const auto place = placeAt(at))
        return Q_EMIT cellClicked(place->cell.row, place->cell.column, event->modifiers());
    for (const viz::MatrixLayout& layout : m_layouts)
    {
        if (const auto row = layout.rowNameAt(at))
            return Q_EMIT rowClicked(*row);
        if (const auto column = layout.columnNameAt(at))
            return Q_EMIT columnClicked(*column, event->modifiers());
    }
}

void MatrixWidget::moveBy(int columns, int rows)
{
    const Place place = m_hover.value_or(Place{0, {}});
    // By places, so that the order of rows and columns holds.
    const QRectF cell = m_layouts[place.table].cellRect(place.cell);
    if (!m_hover)
        return hover(placeAt(m_layouts[0].plot().topLeft() + QPointF(1, 1)), m_layouts[0].plot().topLeft().toPoint());
    const QPointF to = cell.center() + QPointF(columns * cell.width(), rows * cell.height());
    if (const auto next = placeAt(to))
        return hover(next, to.toPoint());
    const std::size_t beside = columns > 0 ? place.table + 1 : place.table - 1; // wraps: no such table
    if (columns != 0 && beside < m_layouts.size())
    {
        const QRectF plot = m_layouts[beside].plot();
        const QPointF edge(columns > 0 ? plot.left() + 1 : plot.right() - 1, cell.center().y());
        hover(placeAt(edge), edge.toPoint());
    }
}

void MatrixWidget::keyPressEvent(QKeyEvent* event)
{
    if (m_layouts.empty())
        return QWidget::keyPressEvent(event);
    switch (event->key())
    {
    case Qt::Key_Left:
        return moveBy(-1, 0);
    case Qt::Key_Right:
        return moveBy(1, 0);
    case Qt::Key_Up:
        return moveBy(0, -1);
    case Qt::Key_Down:
        return moveBy(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Space:
        if (m_hover)
            return Q_EMIT cellClicked(m_hover->cell.row, m_hover->cell.column, event->modifiers());
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void MatrixWidget::leaveEvent(QEvent* event)
{
    hover({}, {});
    QWidget::leaveEvent(event);
}

void MatrixWidget::focusOutEvent(QFocusEvent* event)
{
    if (!underMouse())
        hover({}, {});
    QWidget::focusOutEvent(event);
}

} // namespace headscope::ui
