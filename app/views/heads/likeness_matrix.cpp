// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/likeness_matrix.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/color/color_map.h"
#include "viz/heatmap/cell_rects.h"

#include <QLocale>
#include <QPainter>

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

LikenessMatrix::LikenessMatrix() : Picture({.name = "likenessMatrix", .wanted = {240, 240}, .least = {120, 120}}) {}

QString LikenessMatrix::summary() const
{
    return m_heads.empty() ? QString()
                           : tr("%1 by %2 %3, %4").arg(shown()).arg(shown()).arg(unitsText(m_stage), m_name);
}

void LikenessMatrix::setLikeness(const MatrixD& likeness, const QString& name, Stage stage, const ModelInfo& grouped,
                                 const viz::HeadPalette& palette, const std::vector<std::int64_t>& heads)
{
    m_likeness = likeness;
    m_low = {};
    m_high = {};
    m_name = name;
    m_stage = stage;
    m_info = grouped;
    m_palette = palette;
    m_heads = heads;
    if (m_heads.empty())
    {
        m_heads.resize(static_cast<std::size_t>(m_likeness.rows()));
        std::iota(m_heads.begin(), m_heads.end(), 0);
    }
    std::erase_if(m_heads, [this](std::int64_t head) { return head >= m_likeness.rows(); });
    m_standing = 0;
    replaced();
}

void LikenessMatrix::arrange()
{
    const auto heads = static_cast<int>(shown());
    m_cells = QImage(heads, heads, QImage::Format_ARGB32_Premultiplied);
    m_cells.fill(Qt::transparent);
    const viz::ColorMap map = viz::sequentialMap(theme());
    for (int row = 0; row < heads; ++row)
        for (int column = 0; column < heads; ++column)
            if (const double value = m_likeness(headAt(row), headAt(column)); std::isfinite(value))
                m_cells.setPixel(column, row, map.at(value));
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
    replaced();
}

std::int64_t LikenessMatrix::groupAt(std::int64_t place) const
{
    return headAt(place) / std::max<std::int64_t>(1, m_info.groupSize());
}

QRectF LikenessMatrix::square() const
{
    const double side = std::max(0.0, std::min(box().width() - kEdge - kScale, box().height() - kEdge) - 1);
    return {kEdge, kEdge, side, side};
}

QRectF LikenessMatrix::cellRect(std::int64_t row, std::int64_t column) const
{
    const QRectF all = square();
    const double side = all.width() / static_cast<double>(std::max<std::int64_t>(1, shown()));
    return {all.left() + static_cast<double>(column) * side, all.top() + static_cast<double>(row) * side, side, side};
}

std::size_t LikenessMatrix::itemOf(std::int64_t row, std::int64_t column) const
{
    return static_cast<std::size_t>(row * shown() + column);
}

std::pair<std::int64_t, std::int64_t> LikenessMatrix::headsOf(std::size_t item) const
{
    return {m_heads[item / m_heads.size()], m_heads[item % m_heads.size()]};
}

QRectF LikenessMatrix::placeOf(std::size_t item) const
{
    const auto number = static_cast<std::int64_t>(item);
    return cellRect(number / shown(), number % shown());
}

std::optional<std::size_t> LikenessMatrix::itemAt(QPointF place) const
{
    const QRectF all = square();
    if (m_heads.empty() || !all.contains(place))
        return std::nullopt;
    const double side = all.width() / static_cast<double>(shown());
    const auto at = [&](double way) { return std::min(shown() - 1, static_cast<std::int64_t>(way / side)); };
    return itemOf(at(place.y() - all.top()), at(place.x() - all.left()));
}

std::optional<std::size_t> LikenessMatrix::standing() const
{
    return m_heads.empty() ? std::nullopt : std::optional(m_standing);
}

std::optional<std::size_t> LikenessMatrix::next(std::optional<std::size_t> from, viz::Step step) const
{
    return viz::nextCell(from.value_or(m_standing), step, m_heads.size(), m_heads.size());
}

viz::ItemText LikenessMatrix::textOf(std::size_t item) const
{
    const auto [row, column] = headsOf(item);
    const double value = m_likeness(row, column);
    QString text = tr("%1 %2 and %3: %4 %5")
                       .arg(unitsTitle(m_stage))
                       .arg(row + 1)
                       .arg(column + 1)
                       .arg(m_name, std::isfinite(value) ? numberText(value) : tr("unknown"));
    if (row != column && m_low.rows() == m_likeness.rows() && std::isfinite(m_low(row, column)))
        text += tr(" (95% CI: %1 to %2)").arg(numberText(m_low(row, column)), numberText(m_high(row, column)));
    return {.title = text};
}

void LikenessMatrix::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    if (m_heads.empty())
        return;
    viz::paintCellRects(painter, square(), m_cells);
    paintScale(painter);
    paintHeads(painter);
    paintMarks(painter, marks);
}

/// Their colours at the top and the left, and frames around the blocks of KV groups.
void LikenessMatrix::paintHeads(QPainter& painter) const
{
    for (std::int64_t place = 0; place < shown(); ++place)
    {
        const QRectF cell = cellRect(place, place);
        const QColor color = m_palette.color(HeadIndex(headAt(place)));
        painter.fillRect(QRectF(cell.left(), 0, cell.width() + 0.5, kEdge - 2), color);
        painter.fillRect(QRectF(0, cell.top(), kEdge - 2, cell.height() + 0.5), color);
    }
    const std::int64_t members = m_info.groupSize();
    if (members > 1 && members < m_likeness.rows())
    {
        painter.setPen(QPen(Theme::instance().colors().text, 1));
        for (std::int64_t first = 0; first < shown();)
        {
            std::int64_t last = first;
            while (last + 1 < shown() && groupAt(last + 1) == groupAt(first))
                ++last;
            painter.drawRect(cellRect(first, first).united(cellRect(last, last)));
            first = last + 1;
        }
    }
}

void LikenessMatrix::paintMarks(QPainter& painter, const viz::PictureMarks& marks) const
{
    painter.setPen(QPen(Theme::instance().colors().accent, 2));
    const auto framed = marks.hasFocus && !marks.pointed ? standing() : marks.pointed;
    const bool isOwn = marks.pointed && HeadIndex(headsOf(*marks.pointed).first) == m_hoveredHead;
    if (const auto found = std::find(m_heads.begin(), m_heads.end(), m_hoveredHead.value_or(HeadIndex(-1)).value());
        found != m_heads.end() && !isOwn)
        painter.drawRect(cellRect(found - m_heads.begin(), 0).united(cellRect(found - m_heads.begin(), shown() - 1)));
    if (framed)
        painter.drawRect(placeOf(*framed));
}

void LikenessMatrix::paintScale(QPainter& painter) const
{
    const Colors& colors = Theme::instance().colors();
    const viz::ColorMap map = viz::sequentialMap(theme());
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

void LikenessMatrix::setHoveredHead(std::optional<HeadIndex> head)
{
    if (m_hoveredHead == head)
        return;
    m_hoveredHead = head;
    marked();
}

} // namespace headscope::ui
