// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heads/likeness_matrix.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/color/color_map.h"
#include "viz/heatmap/cell_rects.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::ui
{
namespace
{

constexpr double kEdge = 6;   ///< of the heads' colours at the top and the left
constexpr double kScale = 38; ///< at the right: the colour scale and its numbers
constexpr double kBar = 8;    ///< width of the scale itself
constexpr double kTicks[] = {0.0, 0.5, 1.0};

} // namespace

LikenessMatrix::LikenessMatrix(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("likenessMatrix"));
    setAccessibleName(tr("How alike the heads are"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(120, 120);
    onThemeChange(this, [this] {
        if (m_likeness.rows() == 0)
            return;
        const auto intervals = std::pair(m_low, m_high);
        setLikeness(MatrixD(m_likeness), m_name, m_stage, m_info, m_palette, std::vector(m_heads));
        setIntervals(intervals.first, intervals.second);
    });
}

void LikenessMatrix::setLikeness(const MatrixD& likeness, const QString& name, Stage stage, const ModelInfo& grouped,
                                 const viz::HeadPalette& palette, const std::vector<std::int64_t>& shown)
{
    m_likeness = likeness;
    m_low = {};
    m_high = {};
    m_name = name;
    m_stage = stage;
    m_info = grouped;
    m_palette = palette;
    m_heads = shown;
    if (m_heads.empty())
    {
        m_heads.resize(static_cast<std::size_t>(m_likeness.rows()));
        std::iota(m_heads.begin(), m_heads.end(), 0);
    }
    std::erase_if(m_heads, [this](std::int64_t head) { return head >= m_likeness.rows(); });
    m_hovered.reset();
    const auto heads = static_cast<int>(count());
    m_cells = QImage(heads, heads, QImage::Format_ARGB32_Premultiplied);
    m_cells.fill(Qt::transparent);
    const viz::ColorMap map = viz::sequentialMap(Theme::instance().vizTheme());
    for (int row = 0; row < heads; ++row)
        for (int column = 0; column < heads; ++column)
            if (const double value = m_likeness(headAt(row), headAt(column)); std::isfinite(value))
                m_cells.setPixel(column, row, map.at(value));
    m_cursor = {0, 0};
    setAccessibleDescription(tr("%1 by %2 %3, %4").arg(heads).arg(heads).arg(unitsText(m_stage), m_name));
    update();
}

void LikenessMatrix::setIntervals(const MatrixD& low, const MatrixD& high)
{
    m_low = low;
    m_high = high;
}

void LikenessMatrix::clear()
{
    m_likeness = {};
    m_heads.clear();
    m_cells = {};
    update();
}

std::int64_t LikenessMatrix::groupAt(std::int64_t place) const
{
    return headAt(place) / std::max<std::int64_t>(1, m_info.groupSize());
}

QRectF LikenessMatrix::square() const
{
    const double side = std::max(0.0, std::min(width() - kEdge - kScale, height() - kEdge) - 1);
    return {kEdge, kEdge, side, side};
}

QRectF LikenessMatrix::cellRect(std::int64_t row, std::int64_t column) const
{
    const QRectF all = square();
    const double side = all.width() / static_cast<double>(std::max<std::int64_t>(1, count()));
    return {all.left() + static_cast<double>(column) * side, all.top() + static_cast<double>(row) * side, side, side};
}

std::optional<std::pair<std::int64_t, std::int64_t>> LikenessMatrix::cellAt(QPointF place) const
{
    const QRectF all = square();
    if (count() == 0 || !all.contains(place))
        return std::nullopt;
    const double side = all.width() / static_cast<double>(count());
    const auto at = [&](double way) { return std::min(count() - 1, static_cast<std::int64_t>(way / side)); };
    return std::pair(at(place.y() - all.top()), at(place.x() - all.left()));
}

QString LikenessMatrix::textOf(std::int64_t row, std::int64_t column) const
{
    const double value = m_likeness(headAt(row), headAt(column));
    QString text = tr("%1 %2 and %3: %4 %5")
                       .arg(unitsTitle(m_stage))
                       .arg(headAt(row) + 1)
                       .arg(headAt(column) + 1)
                       .arg(m_name, std::isfinite(value) ? numberText(value) : tr("not known"));
    if (row != column && m_low.rows() == m_likeness.rows() && std::isfinite(m_low(headAt(row), headAt(column))))
        text +=
            tr(" (95 %: %1 to %2)")
                .arg(numberText(m_low(headAt(row), headAt(column))), numberText(m_high(headAt(row), headAt(column))));
    return text;
}

void LikenessMatrix::paintEvent(QPaintEvent*)
{
    if (count() == 0)
        return;
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    const QRectF all = square();
    viz::paintCellRects(painter, all, m_cells);
    paintScale(painter);
    for (std::int64_t place = 0; place < count(); ++place)
    {
        const QRectF cell = cellRect(place, place);
        const QColor color = m_palette.color(HeadIndex(headAt(place)));
        painter.fillRect(QRectF(cell.left(), 0, cell.width() + 0.5, kEdge - 2), color);
        painter.fillRect(QRectF(0, cell.top(), kEdge - 2, cell.height() + 0.5), color);
    }
    const std::int64_t members = m_info.groupSize();
    if (members > 1 && members < m_likeness.rows())
    {
        painter.setPen(QPen(colors.text, 1));
        for (std::int64_t first = 0; first < count();)
        {
            std::int64_t last = first;
            while (last + 1 < count() && groupAt(last + 1) == groupAt(first))
                ++last;
            painter.drawRect(cellRect(first, first).united(cellRect(last, last)));
            first = last + 1;
        }
    }
    painter.setPen(QPen(colors.accent, 2));
    if (const auto found = std::find(m_heads.begin(), m_heads.end(), m_hoveredHead.value_or(HeadIndex(-1)).value());
        found != m_heads.end())
        painter.drawRect(cellRect(found - m_heads.begin(), 0).united(cellRect(found - m_heads.begin(), count() - 1)));
    if (const auto framed = hasFocus() ? std::optional(m_cursor) : m_hovered)
        painter.drawRect(cellRect(framed->first, framed->second));
}

void LikenessMatrix::paintScale(QPainter& painter) const
{
    const Colors& colors = Theme::instance().colors();
    const viz::ColorMap map = viz::sequentialMap(Theme::instance().vizTheme());
    const QRectF all = square();
    const QRectF bar(all.right() + 6, all.top(), kBar, all.height());
    for (int y = 0; y < static_cast<int>(bar.height()); ++y)
        painter.fillRect(QRectF(bar.left(), bar.top() + y, bar.width(), std::min(2.0, bar.height() - y)),
                         map.at(1 - (y + 0.5) / bar.height()));
    painter.setPen(QPen(colors.hairline, 1));
    painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.setFont(Theme::cellFont());
    painter.setPen(colors.muted);
    // Cosines and debiased CKA may lie below 0: they have the colour of 0.
    const bool below =
        std::any_of(m_likeness.values().begin(), m_likeness.values().end(), [](double value) { return value < 0; });
    const double line = QFontMetricsF(Theme::cellFont()).height();
    for (const double tick : kTicks)
    {
        const double y = std::clamp(bar.bottom() - tick * bar.height() - line / 2, bar.top(), bar.bottom() - line);
        const QString number = QLocale().toString(tick, 'f', tick == 0.5 ? 1 : 0);
        painter.drawText(QRectF(bar.right() + 4, y, kScale, line), Qt::AlignLeft | Qt::AlignVCenter,
                         tick == 0 && below ? QStringLiteral("≤ ") % number : number);
    }
}

void LikenessMatrix::mouseMoveEvent(QMouseEvent* event)
{
    const auto cell = cellAt(event->position());
    if (cell == m_hovered)
        return;
    m_hovered = cell;
    update();
    if (cell)
        QToolTip::showText(event->globalPosition().toPoint(), textOf(cell->first, cell->second), this);
    else
        QToolTip::hideText();
    Q_EMIT headHovered(cell ? std::optional(HeadIndex(headAt(cell->first))) : std::nullopt);
}

void LikenessMatrix::mousePressEvent(QMouseEvent* event)
{
    if (const auto cell = cellAt(event->position()); cell && event->button() == Qt::LeftButton)
    {
        m_cursor = *cell;
        Q_EMIT pairClicked(headAt(cell->first), headAt(cell->second));
    }
}

void LikenessMatrix::leaveEvent(QEvent*)
{
    m_hovered.reset();
    update();
    Q_EMIT headHovered({});
}

void LikenessMatrix::keyPressEvent(QKeyEvent* event)
{
    const std::int64_t last = count() - 1;
    if (last < 0)
        return QWidget::keyPressEvent(event);
    auto [row, column] = m_cursor;
    switch (event->key())
    {
    case Qt::Key_Up:
        row = std::max<std::int64_t>(0, row - 1);
        break;
    case Qt::Key_Down:
        row = std::min(last, row + 1);
        break;
    case Qt::Key_Left:
        column = std::max<std::int64_t>(0, column - 1);
        break;
    case Qt::Key_Right:
        column = std::min(last, column + 1);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return Q_EMIT pairClicked(headAt(row), headAt(column));
    default:
        return QWidget::keyPressEvent(event);
    }
    m_cursor = {row, column};
    setAccessibleDescription(textOf(row, column));
    QToolTip::showText(mapToGlobal(cellRect(row, column).bottomRight().toPoint()), textOf(row, column), this);
    Q_EMIT headHovered(HeadIndex(headAt(row)));
    update();
}

void LikenessMatrix::focusInEvent(QFocusEvent*)
{
    update();
}

void LikenessMatrix::focusOutEvent(QFocusEvent*)
{
    update();
}

void LikenessMatrix::setHoveredHead(std::optional<HeadIndex> head)
{
    if (m_hoveredHead == head || (m_hovered && head == HeadIndex(headAt(m_hovered->first))))
        return;
    m_hoveredHead = head;
    update();
}

} // namespace headscope::ui
