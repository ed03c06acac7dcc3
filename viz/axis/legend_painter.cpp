// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/legend_painter.h"

#include "viz/axis/text.h"

#include <QLinearGradient>
#include <QPainter>
#include <QPainterPath>
#include <QPen>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kCardPadding = 12;
constexpr double kGap = 8;
constexpr double kCornerRadius = 6;

} // namespace

LegendLayout::LegendLayout(Legend legend, LegendStyle style) : m_legend(std::move(legend)), m_style(style)
{
    m_padding = m_style.card ? kCardPadding : 0;
    m_bottom = m_padding;
    addTitle();
    m_headBottom = m_bottom;
    if (const auto* heads = std::get_if<HeadLegend>(&m_legend.content))
        addHeads(*heads);
    else if (const auto* categories = std::get_if<CategoryLegend>(&m_legend.content))
        addCategories(*categories);
    else if (const auto* strength = std::get_if<StrengthLegend>(&m_legend.content))
    {
        addRamp(strength->ramp, {QStringLiteral("weak ") + shortNumber(strength->low),
                                 QStringLiteral("strong ") + shortNumber(strength->high)});
        addHeads(strength->heads);
    }
    else if (const auto* number = std::get_if<NumberLegend>(&m_legend.content))
    {
        const ScaleLimits limits = number->scale.limits();
        std::vector<QRgb> ramp;
        for (int i = 0; i <= 32; ++i)
            ramp.push_back(number->scale.color(std::lerp(limits.low, limits.high, i / 32.0)));
        addRamp(ramp, {shortNumber(limits.low), shortNumber((limits.low + limits.high) / 2), shortNumber(limits.high)});
    }
    finish();
}

QFont LegendLayout::fontOf(Item::Kind kind) const
{
    if (kind == Item::Kind::Title)
        return textFont(m_style.textPx + 1, QFont::DemiBold);
    return textFont(kind == Item::Kind::Name ? m_style.textPx : m_style.textPx - 1);
}

double LegendLayout::lineStep() const
{
    return std::ceil(1.6 * m_style.textPx);
}

void LegendLayout::addText(Item::Kind kind, const QRectF& box, const QString& text, int target)
{
    Item item;
    item.kind = kind;
    item.box = box;
    item.text = text;
    item.target = target;
    m_items.push_back(std::move(item));
}

void LegendLayout::addSwatch(QPointF centre, QRgb color, MarkerShape shape, int target)
{
    const double radius = 0.42 * m_style.textPx;
    Item item;
    item.kind = Item::Kind::Swatch;
    item.box = QRectF(centre - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
    item.color = color;
    item.shape = m_style.shapes ? shape : MarkerShape::Circle;
    item.target = target;
    m_items.push_back(std::move(item));
}

int LegendLayout::addTarget(const QRectF& box, LegendHit::Kind kind, std::int64_t index)
{
    m_targets.push_back({box, {kind, index}});
    return static_cast<int>(m_targets.size()) - 1;
}

void LegendLayout::addTitle()
{
    if (m_legend.title.isEmpty())
        return;
    const double room = m_style.maxWidth - 2 * m_padding - m_style.headRight;
    const double width = std::min(room, textWidth(m_legend.title, fontOf(Item::Kind::Title)));
    const double step = lineStep() + 2;
    m_headWidth = width;
    addText(Item::Kind::Title, {m_padding, m_bottom, width, step}, m_legend.title);
    const double hintWidth = textWidth(m_legend.hint, fontOf(Item::Kind::Label));
    if (!m_legend.hint.isEmpty())
    {
        if (width + kGap + hintWidth > room) // a line of its own rather than dots
            m_bottom += step;
        else
            m_headWidth += kGap + hintWidth;
        const double left = width + kGap + hintWidth > room ? m_padding : m_padding + width + kGap;
        addText(Item::Kind::Label, {left, m_bottom, std::min(room, hintWidth), step}, m_legend.hint);
    }
    m_headWidth += m_style.headRight;
    m_bottom += step + 2 + m_style.headBelow;
}

void LegendLayout::addHeads(const HeadLegend& heads)
{
    const bool single = std::all_of(heads.rows.begin(), heads.rows.end(),
                                    [](const HeadLegendRow& row) { return row.heads.size() == 1; });
    constexpr std::size_t kFewRows = 4;
    if (single && heads.rows.size() > kFewRows)
    {
        addHeadGrid(heads);
        return;
    }
    double nameWidth = 0;
    double rangeWidth = 0;
    for (const HeadLegendRow& row : heads.rows)
    {
        nameWidth = std::max(nameWidth, textWidth(row.name, fontOf(Item::Kind::Label)));
        rangeWidth = std::max(rangeWidth, textWidth(row.range, fontOf(Item::Kind::Label)));
    }
    for (const HeadLegendRow& row : heads.rows)
        addHeadRow(row, nameWidth, rangeWidth);
}

void LegendLayout::addHeadRow(const HeadLegendRow& row, double nameWidth, double rangeWidth)
{
    beginRow();
    const double step = lineStep();
    const double pitch = std::ceil(1.3 * m_style.textPx);
    const double left = m_padding + nameWidth + kGap;
    const double room = m_style.maxWidth - left - m_padding - kGap - rangeWidth;
    const auto perLine = static_cast<std::size_t>(std::max(1.0, std::floor(room / pitch)));
    const std::size_t lines = (row.heads.size() + perLine - 1) / perLine;
    // The members' targets lie above the group's, so that a swatch is a head and all else the group.
    std::vector<int> targets;
    for (std::size_t i = 0; i < row.heads.size(); ++i)
    {
        const double x = left + static_cast<double>(i % perLine) * pitch;
        const double y = m_bottom + static_cast<double>(i / perLine) * step;
        targets.push_back(addTarget({x, y, pitch, step}, LegendHit::Kind::Head, row.heads[i]));
        addSwatch({x + pitch / 2, y + step / 2}, row.colors[i], row.shapes[i], targets.back());
    }
    const double used = static_cast<double>(std::min(perLine, row.heads.size())) * pitch;
    const QRectF rangeBox(left + used + kGap, m_bottom, textWidth(row.range, fontOf(Item::Kind::Label)), step);
    const int group = addTarget({m_padding, m_bottom, rangeBox.right() - m_padding, step * static_cast<double>(lines)},
                                LegendHit::Kind::Group, row.group);
    addText(Item::Kind::Label, {m_padding, m_bottom, nameWidth, step}, row.name, group);
    addText(Item::Kind::Label, rangeBox, row.range, group);
    m_bottom += step * static_cast<double>(std::max<std::size_t>(1, lines));
}

void LegendLayout::addHeadGrid(const HeadLegend& heads)
{
    // Every head is a group of its own: swatch and number, several in a line.
    const double step = lineStep();
    double numberWidth = 0;
    for (const HeadLegendRow& row : heads.rows)
        numberWidth = std::max(numberWidth, textWidth(row.range, fontOf(Item::Kind::Label)));
    const double swatch = std::ceil(1.3 * m_style.textPx);
    const double pitch = swatch + 2 + numberWidth + kGap;
    const double room = m_style.maxWidth - 2 * m_padding;
    const auto perLine = static_cast<std::size_t>(std::clamp(std::floor(room / pitch), 1.0, 4.0 * m_style.columns));
    for (std::size_t i = 0; i < heads.rows.size(); ++i)
    {
        const HeadLegendRow& row = heads.rows[i];
        const double x = m_padding + static_cast<double>(i % perLine) * pitch;
        const double y = m_bottom + static_cast<double>(i / perLine) * step;
        const int target = addTarget({x, y, pitch, step}, LegendHit::Kind::Head, row.heads.front());
        addSwatch({x + swatch / 2, y + step / 2}, row.colors.front(), row.shapes.front(), target);
        addText(Item::Kind::Label, {x + swatch + 2, y, numberWidth, step}, row.range, target);
    }
    m_bottom += step * static_cast<double>((heads.rows.size() + perLine - 1) / perLine);
}

void LegendLayout::addCategories(const CategoryLegend& categories)
{
    const double step = lineStep();
    const std::size_t total = categories.entries.size();
    std::size_t shown = total;
    if (m_style.maxHeight > 0)
    {
        const double lines = std::max(1.0, std::floor((m_style.maxHeight - m_bottom - m_padding) / step));
        if (static_cast<double>(total) > lines)
            shown = static_cast<std::size_t>(lines) - 1; // the last line sums up the rest
    }
    double nameWidth = 0;
    double countWidth = 0;
    for (const CategoryLegendEntry& entry : categories.entries)
    {
        nameWidth = std::max(nameWidth, textWidth(entry.name, fontOf(Item::Kind::Name)));
        countWidth = std::max(countWidth, textWidth(groupedNumber(entry.count), fontOf(Item::Kind::Number)));
    }
    const double swatch = std::ceil(1.3 * m_style.textPx);
    const double left = m_padding + swatch + 4;
    nameWidth = std::min(nameWidth, m_style.maxWidth - left - kGap - countWidth - m_padding);
    for (std::size_t i = 0; i < shown; ++i)
    {
        const CategoryLegendEntry& entry = categories.entries[i];
        const QRectF row(m_padding, m_bottom, left - m_padding + nameWidth + kGap + countWidth, step);
        beginRow();
        const int target = addTarget(row, LegendHit::Kind::Category, entry.code);
        addSwatch({m_padding + swatch / 2, m_bottom + step / 2}, entry.color, entry.shape, target);
        addText(Item::Kind::Name, {left, m_bottom, nameWidth, step}, entry.name, target);
        addText(Item::Kind::Number, {left + nameWidth + kGap, m_bottom, countWidth, step}, groupedNumber(entry.count),
                target);
        m_bottom += step;
    }
    if (shown < total)
    {
        std::int64_t points = 0;
        for (std::size_t i = shown; i < total; ++i)
            points += categories.entries[i].count;
        const QString text = QStringLiteral("%1 more: %2 points").arg(total - shown).arg(groupedNumber(points));
        const double width = std::min(m_style.maxWidth - left - m_padding, textWidth(text, fontOf(Item::Kind::Label)));
        addText(Item::Kind::Label, {left, m_bottom, width, step}, text);
        m_bottom += step;
    }
}

void LegendLayout::addRamp(const std::vector<QRgb>& ramp, const QStringList& labels)
{
    const double step = lineStep();
    const double width = std::min(m_style.maxWidth - 2 * m_padding, 13 * m_style.textPx);
    Item item;
    item.kind = Item::Kind::Ramp;
    item.box = {m_padding, m_bottom + 2, width, std::ceil(0.8 * m_style.textPx)};
    item.ramp = ramp;
    m_bottom = item.box.bottom() + 2;
    m_items.push_back(std::move(item));
    const double each = width / static_cast<double>(std::max<qsizetype>(1, labels.size()));
    for (qsizetype i = 0; i < labels.size(); ++i)
    {
        const double textLength = std::min(each, textWidth(labels[i], fontOf(Item::Kind::Label)));
        const double share = labels.size() > 1 ? static_cast<double>(i) / static_cast<double>(labels.size() - 1) : 0;
        addText(Item::Kind::Label, {m_padding + share * (width - textLength), m_bottom, textLength, step}, labels[i]);
    }
    m_bottom += step + 4;
}

void LegendLayout::addEyes()
{
    double right = 0;
    for (const Item& item : m_items)
        right = std::max(right, item.box.right());
    const double width = std::ceil(1.3 * m_style.textPx);
    for (std::size_t i = 0; i < m_targets.size(); ++i)
    {
        Target& target = m_targets[i];
        if (target.hit.kind == LegendHit::Kind::Head)
            continue;
        Item item;
        item.kind = Item::Kind::Eye;
        item.box = QRectF(right + kGap, target.box.top(), width, lineStep());
        item.target = static_cast<int>(i);
        target.box.setRight(item.box.right());
        m_items.push_back(std::move(item));
    }
}

void LegendLayout::finish()
{
    if (m_style.columns > 1)
        foldRows();
    if (m_style.eyes)
        addEyes();
    double right = m_padding + m_headWidth;
    for (const Item& item : m_items)
        right = std::max(right, item.box.right());
    m_size = QSizeF(std::ceil(right + m_padding), std::ceil(m_bottom + (m_style.card ? m_padding - 4 : 0)));
}

std::optional<LegendHit> LegendLayout::hit(QPointF place) const
{
    const auto found = std::find_if(m_targets.begin(), m_targets.end(),
                                    [place](const Target& target) { return target.box.contains(place); });
    if (found == m_targets.end())
        return std::nullopt;
    return found->hit;
}

std::vector<LegendHit> LegendLayout::hits() const
{
    std::vector<const Target*> order;
    for (const Target& target : m_targets)
        order.push_back(&target);
    // Groups come before their heads, which lie in the same row.
    std::ranges::stable_sort(order, [](const Target* a, const Target* b) {
        return std::pair(a->box.top(), a->box.left()) < std::pair(b->box.top(), b->box.left());
    });
    std::vector<LegendHit> hits;
    for (const Target* target : order)
        hits.push_back(target->hit);
    return hits;
}

std::optional<QRectF> LegendLayout::boxOf(const LegendHit& hit) const
{
    for (const Target& target : m_targets)
        if (target.hit == hit)
            return target.box;
    return std::nullopt;
}

std::optional<QRectF> LegendLayout::eyeOf(const LegendHit& hit) const
{
    for (const Item& item : m_items)
        if (item.kind == Item::Kind::Eye && m_targets[static_cast<std::size_t>(item.target)].hit == hit)
            return item.box;
    return std::nullopt;
}

std::optional<LegendHit> LegendLayout::eyeAt(QPointF place) const
{
    for (const Item& item : m_items)
        if (item.kind == Item::Kind::Eye && item.box.contains(place))
            return m_targets[static_cast<std::size_t>(item.target)].hit;
    return std::nullopt;
}

QString LegendLayout::elidedNameAt(QPointF place) const
{
    for (const Item& item : m_items)
        if (item.box.contains(place) && !item.text.isEmpty() &&
            elidedMiddle(item.text, fontOf(item.kind), item.box.width()) != item.text)
            return item.text;
    return {};
}

/// An eye, open and quiet, or crossed out and plain to see.
void LegendLayout::paintEye(QPainter& painter, const QRectF& box, bool closed) const
{
    const double half = 0.46 * m_style.textPx;
    const QPointF centre = box.center();
    QPainterPath lids(centre - QPointF(half, 0));
    lids.quadTo(centre - QPointF(0, 1.15 * half), centre + QPointF(half, 0));
    lids.quadTo(centre + QPointF(0, 1.15 * half), centre - QPointF(half, 0));
    const Inks& ink = inks(m_style.theme);
    painter.setOpacity(closed ? 1.0 : 0.5);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(closed ? ink.ink : ink.secondary, 1.1, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(lids);
    if (closed)
    {
        const QPointF corner(0.85 * half, 0.75 * half);
        painter.drawLine(centre - corner, centre + corner);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink.secondary);
    painter.drawEllipse(centre, 0.3 * half, 0.3 * half);
}

void LegendLayout::paintItem(QPainter& painter, const Item& item) const
{
    const Inks& ink = inks(m_style.theme);
    switch (item.kind)
    {
    case Item::Kind::Title:
    case Item::Kind::Name:
        drawLine(painter, item.box, item.text, fontOf(item.kind), ink.ink);
        break;
    case Item::Kind::Label:
        drawLine(painter, item.box, item.text, fontOf(item.kind), ink.secondary);
        break;
    case Item::Kind::Number:
        drawLine(painter, item.box, item.text, fontOf(item.kind), ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
        break;
    case Item::Kind::Swatch:
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(item.color));
        painter.drawPath(markerPath(item.shape, item.box.width() / 2).translated(item.box.center()));
        break;
    case Item::Kind::Eye:
        break; // paintEye() knows its state
    case Item::Kind::Ramp:
    {
        QLinearGradient gradient(item.box.topLeft(), item.box.topRight());
        const auto steps = std::max<std::size_t>(2, item.ramp.size()) - 1;
        for (std::size_t i = 0; i < item.ramp.size(); ++i)
            gradient.setColorAt(static_cast<double>(i) / static_cast<double>(steps), QColor(item.ramp[i]));
        painter.setPen(Qt::NoPen);
        painter.setBrush(gradient);
        painter.drawRoundedRect(item.box, 2, 2);
        break;
    }
    }
}

void LegendLayout::paint(QPainter& painter, QPointF place, const std::vector<LegendHit>& faded) const
{
    const Inks& ink = inks(m_style.theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(place);
    if (m_style.card && m_style.ground)
    {
        painter.setPen(QPen(ink.hairline, 1));
        painter.setBrush(ink.card);
        painter.drawRoundedRect(QRectF(QPointF(0.5, 0.5), m_size - QSizeF(1, 1)), kCornerRadius, kCornerRadius);
    }
    const QRectF seen = painter.hasClipping() ? painter.clipBoundingRect() : QRectF(QPointF(0, 0), m_size);
    for (const Item& item : m_items)
    {
        if (!item.box.intersects(seen)) // scrolled away, of perhaps a thousand
            continue;
        const bool fades =
            item.target >= 0 &&
            std::find(faded.begin(), faded.end(), m_targets[static_cast<std::size_t>(item.target)].hit) != faded.end();
        if (item.kind == Item::Kind::Eye)
        {
            paintEye(painter, item.box, fades);
            continue;
        }
        painter.setOpacity(fades ? 0.35 : 1.0);
        paintItem(painter, item);
    }
    painter.restore();
}

} // namespace headscope::viz
