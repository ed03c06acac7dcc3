// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/thumbnail_grid.h"

#include "model/data/key_sharing.h"
#include "viz/axis/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr int kGroupGap = 4; // more, between KV groups
constexpr double kStrip = 3; // the groups' colours
constexpr double kNumberGap = 8;

QFont numberFont(const ThumbnailGridStyle& style, bool bold = false)
{
    return textFont(style.textPx, bold ? QFont::DemiBold : QFont::Normal);
}

/// Every how many of a row of numbers there is room for one.
std::int64_t strideFor(double needed, double pitch)
{
    for (const std::int64_t stride : {1, 2, 4, 5, 8, 10, 16, 20, 25, 50})
        if (static_cast<double>(stride) * pitch >= needed)
            return stride;
    return 100;
}

/// Small cells stand closer.
int gapOf(QSize cell)
{
    constexpr int kSmall = 12;
    return std::min(cell.width(), cell.height()) < kSmall ? 1 : 2;
}

/// Cells as large as fit, at most a third longer one way than the other.
QSize fittingCell(QSizeF room, std::int64_t rows, std::int64_t heads, int groupGaps)
{
    constexpr double kLongest = 4.0 / 3;
    constexpr double kSmallPitch = 14; // of cells with the smaller gap
    const auto fit = [](double length, std::int64_t count) {
        const double pitch = count > 0 ? std::floor(length / static_cast<double>(count)) : 0.0;
        return pitch - (pitch < kSmallPitch ? 1 : 2);
    };
    double width = fit(room.width() - groupGaps * kGroupGap, heads);
    double height = fit(room.height(), rows);
    width = std::clamp(width, double(ThumbnailGridLayout::kMinCell), double(ThumbnailGridLayout::kLargestCell));
    height = std::clamp(height, double(ThumbnailGridLayout::kMinCell), double(ThumbnailGridLayout::kLargestCell));
    width = std::min(width, std::floor(height * kLongest));
    height = std::min(height, std::floor(width * kLongest));
    return {static_cast<int>(width), static_cast<int>(height)};
}

/// One direction of ThumbnailGridLayout::bounded.
double boundedTo(double offset, double content, double room)
{
    return std::clamp(offset, 0.0, std::max(0.0, std::ceil(content - room)));
}

} // namespace

ThumbnailGridLayout::ThumbnailGridLayout(std::vector<LayerIndex> layers, const ModelInfo& model, const QRectF& box,
                                         ThumbnailGridStyle style)
    : m_layers(std::move(layers)), m_heads(model.heads),
      m_members(hasKvGroups(model, Stage::HeadOutput) ? model.groupSize() : 1), m_style(std::move(style))
{
    const QFont font = numberFont(m_style);
    double left = 0;
    for (const LayerIndex layer : m_layers)
        left = std::max(left, textWidth(QString::number(layer.value()), font));
    left = std::ceil(left + kNumberGap);
    const double top = std::ceil(lineHeight(font)) + kStrip + 4;
    m_window = box.adjusted(left, top, 0, 0);
    const int gaps = m_members > 1 ? static_cast<int>(m_heads / m_members) - 1 : 0;
    m_cell = m_style.cell.isEmpty()
                 ? fittingCell(m_window.size(), static_cast<std::int64_t>(m_layers.size()), m_heads, gaps)
                 : m_style.cell;
    m_gap = gapOf(m_cell);
    m_style.offset = bounded(m_style.offset);
}

double ThumbnailGridLayout::xOf(std::int64_t head) const
{
    const std::int64_t groups = m_members > 1 ? head / m_members : 0;
    return static_cast<double>(head * (m_cell.width() + m_gap) + groups * kGroupGap);
}

QSizeF ThumbnailGridLayout::contentSize() const
{
    if (m_heads == 0 || m_layers.empty())
        return {0, 0};
    return {xOf(m_heads - 1) + m_cell.width(),
            static_cast<double>(std::ssize(m_layers) * (m_cell.height() + m_gap) - m_gap)};
}

QRectF ThumbnailGridLayout::filled() const
{
    const QSizeF content = contentSize();
    return {m_window.topLeft(),
            QSizeF(std::min(content.width(), m_window.width()), std::min(content.height(), m_window.height()))};
}

QPointF ThumbnailGridLayout::bounded(QPointF offset) const
{
    const QSizeF content = contentSize();
    return {boundedTo(std::round(offset.x()), content.width(), m_window.width()),
            boundedTo(std::round(offset.y()), content.height(), m_window.height())};
}

QRectF ThumbnailGridLayout::cellRect(ThumbnailCell cell) const
{
    const QPointF corner(xOf(cell.head.value()), static_cast<double>(cell.row * (m_cell.height() + m_gap)));
    return {m_window.topLeft() - m_style.offset + corner, QSizeF(m_cell)};
}

std::optional<ThumbnailCell> ThumbnailGridLayout::cellAt(QPointF place) const
{
    if (!m_window.contains(place))
        return {};
    const auto row = layerAt(place);
    if (!row)
        return {};
    const double x = place.x() - m_window.left() + m_style.offset.x();
    const auto [first, last] = headsInView();
    for (std::int64_t head = first; head < last; ++head)
        if (x >= xOf(head) - m_gap / 2.0 && x < xOf(head) + m_cell.width() + m_gap / 2.0)
            return ThumbnailCell{*row, HeadIndex(head)};
    return {};
}

std::optional<std::int64_t> ThumbnailGridLayout::layerAt(QPointF place) const
{
    const double y = place.y() - m_window.top() + m_style.offset.y();
    const auto row = static_cast<std::int64_t>(std::floor(y / (m_cell.height() + m_gap)));
    if (place.y() < m_window.top() || place.y() > m_window.bottom() || row < 0 || row >= std::ssize(m_layers))
        return {};
    return row;
}

std::pair<std::int64_t, std::int64_t> ThumbnailGridLayout::rowsInView() const
{
    const double pitch = m_cell.height() + m_gap;
    const auto first = static_cast<std::int64_t>(std::floor(m_style.offset.y() / pitch));
    const auto last = static_cast<std::int64_t>(std::ceil((m_style.offset.y() + m_window.height()) / pitch));
    const auto count = static_cast<std::int64_t>(m_layers.size());
    return {std::clamp<std::int64_t>(first, 0, count), std::clamp<std::int64_t>(last, 0, count)};
}

std::pair<std::int64_t, std::int64_t> ThumbnailGridLayout::headsInView() const
{
    std::int64_t first = 0;
    while (first < m_heads && xOf(first) + m_cell.width() + m_gap <= m_style.offset.x())
        ++first;
    std::int64_t last = first;
    while (last < m_heads && xOf(last) < m_style.offset.x() + m_window.width())
        ++last;
    return {first, last};
}

void ThumbnailGridLayout::paintHeadings(QPainter& painter, const HeadPalette& palette,
                                        std::optional<ThumbnailCell> chosen) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont plain = numberFont(m_style);
    const QFont bold = numberFont(m_style, true);
    const double line = std::ceil(lineHeight(plain));
    const double top = m_window.top() - kStrip - 4 - line;

    painter.save();
    painter.setClipRect(QRectF(m_window.left(), top, m_window.width(), m_window.top() - top));
    const QString widest = QString::number(m_heads);
    const std::int64_t heads = strideFor(textWidth(widest, plain) + 4, m_cell.width() + m_gap);
    const auto [firstHead, lastHead] = headsInView();
    for (std::int64_t head = firstHead; head < lastHead; ++head)
    {
        const double x = cellRect({0, HeadIndex(head)}).left();
        painter.fillRect(QRectF(x, m_window.top() - kStrip - 3, m_cell.width(), kStrip),
                         palette.color(HeadIndex(head)));
        const bool isChosen = chosen && chosen->head.value() == head;
        if (head % heads != 0 && !isChosen)
            continue;
        const double room = static_cast<double>(heads) * (m_cell.width() + m_gap);
        drawLine(painter, {x - room / 2 + m_cell.width() / 2.0, top, room, line}, QString::number(head + 1),
                 isChosen ? bold : plain, isChosen ? ink.accent : ink.secondary, Qt::AlignCenter);
    }
    painter.setClipRect(QRectF(0, m_window.top(), m_window.left(), m_window.height()));
    const std::int64_t rows = strideFor(0.8 * line, m_cell.height() + m_gap);
    const auto [firstRow, lastRow] = rowsInView();
    for (std::int64_t row = firstRow; row < lastRow; ++row)
    {
        const bool isChosen = chosen && chosen->row == row;
        if (row % rows != 0 && !isChosen)
            continue;
        const QRectF cell = cellRect({row, HeadIndex(0)});
        drawLine(painter, {m_window.left() - 60, cell.center().y() - line / 2, 60 - kNumberGap + 2, line},
                 QString::number(m_layers[static_cast<std::size_t>(row)].value()), isChosen ? bold : plain,
                 isChosen ? ink.accent : ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    }
    painter.restore();
}

void paintThumbnailMarks(QPainter& painter, const ThumbnailGridLayout& layout, const ThumbnailMarks& marks)
{
    const Inks& ink = inks(layout.style().theme);
    painter.save();
    painter.setClipRect(layout.window().adjusted(-2, -2, 2, 2));
    painter.setBrush(Qt::NoBrush);
    for (const ThumbnailCell& cell : marks.off)
    {
        const QRectF box = layout.cellRect(cell);
        QColor veil = ink.background;
        veil.setAlphaF(0.75F);
        painter.fillRect(box, veil);
        painter.setPen(QPen(ink.secondary, 1.5));
        painter.drawLine(box.bottomLeft(), box.topRight());
    }
    const auto frame = [&](ThumbnailCell cell, const QColor& color, double width) {
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        const double out = width / 2;
        painter.drawRect(layout.cellRect(cell).adjusted(-out, -out, out, out));
    };
    if (marks.chosen && layout.groupSize() > 1)
    {
        QColor pale = ink.accent;
        pale.setAlphaF(0.5F);
        const std::int64_t first = marks.chosen->head.value() / layout.groupSize() * layout.groupSize();
        for (std::int64_t head = first; head < first + layout.groupSize(); ++head)
            frame({marks.chosen->row, HeadIndex(head)}, pale, 1);
    }
    for (const ThumbnailCell& cell : marks.pinned)
        frame(cell, ink.ink, 1.5);
    if (marks.hovered)
        frame(*marks.hovered, ink.secondary, 1);
    if (marks.chosen)
        frame(*marks.chosen, ink.accent, 2);
    painter.restore();
}

} // namespace headscope::viz
