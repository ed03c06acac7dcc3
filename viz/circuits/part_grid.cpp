// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/circuits/part_grid.h"

#include "viz/axis/text.h"
#include "viz/circuits/circuit_text.h"
#include "viz/heatmap/scale_bar.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::viz
{
namespace
{

constexpr int kDecimals = 4;

/// What reads 0.0000 has the colour of 0.
double shownValue(double value)
{
    return std::abs(value) < 0.5 * std::pow(10.0, -kDecimals) ? 0.0 : value;
}

ColorScale scaleOf(const ScaleLimits& limits, InkTheme theme)
{
    return scaleOf(ScaleChoice{ScaleChoice::Kind::Diverging, limits, 0}, theme);
}

} // namespace

PartGridPicture::PartGridPicture(double textPx)
    : Picture({.name = "partGrid",
               .saying = Saying::Tooltip,
               .hasGround = true,
               .items = Items::Listed,
               .room = Room::Grows,
               .wanted = {560, 560},
               .least = {360, 120}}),
      m_textPx(textPx)
{}

void PartGridPicture::setResult(CircuitResultPtr result, bool centred)
{
    m_result = std::move(result);
    m_centred = centred;
    m_values = {};
    m_intervals.clear();
    m_mlp.clear();
    m_other = 0;
    if (const ContributionsResult* found = m_result ? m_result->contributions() : nullptr; found != nullptr)
        take(*found);
    arrange();
    replaced();
}

/// The numbers of the cells, with their intervals and the scale of all.
void PartGridPicture::take(const ContributionsResult& found)
{
    m_values = MatrixD(found.layers, found.heads);
    m_mlp.resize(static_cast<std::size_t>(found.layers));
    const auto add = [&](const VectorPart& part, double value) {
        if (part.kind == PartKind::Head)
            m_values(part.layer, part.head) = value;
        else
            (part.kind == PartKind::Mlp ? m_mlp[static_cast<std::size_t>(part.layer)] : m_other) += value;
    };
    m_intervals.resize(m_values.values().size());
    if (found.pair)
        for (const PairTerm& term : found.pair->terms)
            add(term.part, term.value);
    else
    {
        m_centred = m_centred && found.documents > 1;
        for (const PartShare& share : found.parts)
        {
            const Estimate& own = m_centred ? share.centred : share.share;
            add(share.part, own.value);
            if (share.part.kind == PartKind::Head && std::isfinite(own.ci95.low))
                m_intervals[static_cast<std::size_t>(share.part.layer * found.heads + share.part.head)] = {
                    own.ci95.low, own.ci95.high};
        }
    }
    double largest = 0;
    for (const double value : m_values.values())
        largest = std::max(largest, std::abs(value));
    m_limits = roundedOutwards({-std::max(largest, 1e-9), std::max(largest, 1e-9)});
}

void PartGridPicture::setMarked(std::optional<std::pair<std::int64_t, std::int64_t>> head)
{
    m_marked = head;
    marked();
}

std::pair<std::int64_t, std::int64_t> PartGridPicture::headOf(std::size_t item) const
{
    const auto at = static_cast<std::int64_t>(item);
    return {at / m_values.cols(), at % m_values.cols()};
}

std::vector<std::size_t> PartGridPicture::strongest(std::size_t most) const
{
    std::vector<std::size_t> order(count());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [this](std::size_t item) { return std::abs(valueOf(item)); });
    order.resize(std::min(order.size(), most));
    return order;
}

double PartGridPicture::numberWidth() const
{
    return textWidth(QStringLiteral("+0.0000"), textFont(m_textPx)) + 0.9 * m_textPx;
}

double PartGridPicture::cellWidth(double width) const
{
    const double names = textWidth(QStringLiteral("Layer 00"), textFont(m_textPx)) + m_textPx;
    const double room = width - names - 2 * numberWidth() - m_textPx;
    return std::clamp(room / static_cast<double>(std::max<std::int64_t>(1, m_values.cols())), 4.0, 4.2 * m_textPx);
}

double PartGridPicture::rowHeight(double /*width*/) const
{
    return std::ceil((m_values.rows() > 16 ? 1.25 : 1.7) * m_textPx);
}

double PartGridPicture::heightWanted(double width) const
{
    return rowHeight(width) * static_cast<double>(m_values.rows()) + 5.2 * m_textPx;
}

int PartGridPicture::heightForWidth(int width) const
{
    return count() == 0 ? -1 : static_cast<int>(std::ceil(heightWanted(width)));
}

void PartGridPicture::arrange()
{
    m_row = rowHeight(box().width());
    m_cell = cellWidth(box().width());
    const double names = textWidth(QStringLiteral("Layer 00"), textFont(m_textPx)) + m_textPx;
    m_cells = QRectF(box().left() + names, box().top() + 1.8 * m_textPx, m_cell * static_cast<double>(m_values.cols()),
                     m_row * static_cast<double>(m_values.rows()));
}

QRectF PartGridPicture::placeOf(std::size_t item) const
{
    const auto [layer, head] = headOf(item);
    return {m_cells.left() + static_cast<double>(head) * m_cell, m_cells.top() + static_cast<double>(layer) * m_row,
            m_cell, m_row};
}

std::optional<std::size_t> PartGridPicture::itemAt(QPointF place) const
{
    if (count() == 0 || !m_cells.contains(place))
        return std::nullopt;
    const auto layer = std::min(m_values.rows() - 1, static_cast<std::int64_t>((place.y() - m_cells.top()) / m_row));
    const auto head = std::min(m_values.cols() - 1, static_cast<std::int64_t>((place.x() - m_cells.left()) / m_cell));
    return static_cast<std::size_t>(layer * m_values.cols() + head);
}

std::optional<std::size_t> PartGridPicture::next(std::optional<std::size_t> from, Step step) const
{
    if (count() == 0)
        return std::nullopt;
    return from ? nextCell(*from, step, static_cast<std::size_t>(m_values.rows()),
                           static_cast<std::size_t>(m_values.cols()))
                : std::optional<std::size_t>(0);
}

ItemText PartGridPicture::textOf(std::size_t item) const
{
    const auto [layer, head] = headOf(item);
    QString text = QStringLiteral("%1: %2").arg(headText(layer, head), signedNumber(valueOf(item), kDecimals + 1));
    if (m_intervals[item])
        text += QStringLiteral(" (95% %1 to %2)")
                    .arg(fixedNumber(m_intervals[item]->first, kDecimals),
                         fixedNumber(m_intervals[item]->second, kDecimals));
    return {.title = text};
}

QString PartGridPicture::title() const
{
    const ContributionsResult* found = m_result ? m_result->contributions() : nullptr;
    if (found != nullptr && found->pair)
        return QStringLiteral("Part of each head in the cosine");
    return m_centred ? QStringLiteral("Centred share of each head") : QStringLiteral("Share of each head");
}

QString PartGridPicture::summary() const
{
    QStringList heads;
    for (const std::size_t item : strongest(3))
        heads << textOf(item).title;
    return heads.isEmpty() ? QString() : title() + QStringLiteral(". Strongest: ") + heads.join(QStringLiteral("; "));
}

void PartGridPicture::paintNames(QPainter& painter) const
{
    const Inks& ink = inks(theme());
    const QFont font = textFont(m_textPx);
    const double header = m_cells.top() - 1.6 * m_textPx;
    const auto every = static_cast<std::int64_t>(std::max(1.0, std::ceil(1.4 * m_textPx / m_cell)));
    for (std::int64_t head = 0; head < m_values.cols(); head += every)
        drawLine(painter,
                 {m_cells.left() + static_cast<double>(head) * m_cell - m_textPx, header, m_cell + 2 * m_textPx,
                  1.5 * m_textPx},
                 QString::number(head + 1), font, ink.secondary, Qt::AlignCenter);
    for (std::int64_t layer = 0; layer < m_values.rows(); ++layer)
        drawLine(painter,
                 {box().left(), m_cells.top() + static_cast<double>(layer) * m_row,
                  m_cells.left() - box().left() - 0.5 * m_textPx, m_row},
                 QStringLiteral("Layer %1").arg(layer), font, ink.ink);
    const std::int64_t kvHeads = std::max<std::int64_t>(1, m_result->contributions()->kvHeads);
    const std::int64_t group = m_values.cols() / kvHeads;
    painter.setPen(QPen(ink.secondary, 0.8));
    for (std::int64_t head = group; group > 1 && head < m_values.cols(); head += group)
    {
        const double x = m_cells.left() + static_cast<double>(head) * m_cell;
        painter.drawLine(QPointF(x, m_cells.top()), QPointF(x, m_cells.bottom()));
    }
}

void PartGridPicture::paintSums(QPainter& painter) const
{
    const Inks& ink = inks(theme());
    const QFont font = textFont(m_textPx);
    const double width = numberWidth();
    const double left = m_cells.right() + 0.5 * m_textPx;
    const double line = 1.5 * m_textPx;
    const auto number = [&](int column, double top, double height, const QString& text, const QFont& own,
                            const QColor& color) {
        drawLine(painter, {left + column * width, top, width, height}, text, own, color,
                 Qt::AlignRight | Qt::AlignVCenter);
    };
    const double header = m_cells.top() - 1.6 * m_textPx;
    number(0, header, line, QStringLiteral("Heads"), font, ink.secondary);
    number(1, header, line, QStringLiteral("MLP"), font, ink.secondary);
    double ofHeads = 0;
    double ofMlps = 0;
    for (std::int64_t layer = 0; layer < m_values.rows(); ++layer)
    {
        const double top = m_cells.top() + static_cast<double>(layer) * m_row;
        const auto row = m_values.row(layer);
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        const double mlp = m_mlp[static_cast<std::size_t>(layer)];
        ofHeads += sum;
        ofMlps += mlp;
        number(0, top, m_row, signedNumber(sum, kDecimals), font, ink.ink);
        number(1, top, m_row, signedNumber(mlp, kDecimals), font, ink.secondary);
    }
    const double below = m_cells.bottom() + 0.1 * m_textPx;
    const QFont bold = textFont(m_textPx, QFont::DemiBold);
    painter.setPen(QPen(ink.secondary, 0.8));
    painter.drawLine(QPointF(left + 0.5 * m_textPx, m_cells.bottom()), QPointF(left + 2 * width, m_cells.bottom()));
    number(0, below, line, signedNumber(ofHeads, kDecimals), bold, ink.ink);
    number(1, below, line, signedNumber(ofMlps, kDecimals), bold, ink.ink);
    drawLine(painter, {box().left(), below, m_cells.right() - box().left(), line},
             QStringLiteral("Token and biases %1; all parts %2")
                 .arg(signedNumber(m_other, kDecimals), fixedNumber(ofHeads + ofMlps + m_other, kDecimals)),
             font, ink.secondary);
    paintScaleBar(painter, scaleOf(m_limits, theme()), title(),
                  {box().left(), below + 1.9 * m_textPx, left + 2 * width - box().left(), 1.3 * m_textPx}, m_textPx,
                  theme());
}

void PartGridPicture::paint(QPainter& painter, const PictureMarks& marks) const
{
    if (count() == 0)
        return;
    const Inks& ink = inks(theme());
    const ColorScale scale = scaleOf(m_limits, theme());
    for (std::size_t item = 0; item < count(); ++item)
        painter.fillRect(placeOf(item).adjusted(0.5, 0.5, -0.5, -0.5), QColor(scale.color(shownValue(valueOf(item)))));
    paintNames(painter);
    paintSums(painter);
    const auto frame = [&](std::optional<std::size_t> item, const QColor& color) {
        if (!item || *item >= count())
            return;
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(placeOf(*item).adjusted(0.5, 0.5, -0.5, -0.5));
    };
    if (m_marked && m_marked->first < m_values.rows() && m_marked->second < m_values.cols())
        frame(static_cast<std::size_t>(m_marked->first * m_values.cols() + m_marked->second), ink.accent);
    frame(marks.pointed, ink.ink);
}

} // namespace headscope::viz
