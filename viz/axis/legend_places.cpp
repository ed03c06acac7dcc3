// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/legend_places.h"

#include "viz/axis/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kCardPadding = 12;
constexpr double kGap = 8;

/// Puts a legend's parts under each other.
class LegendPlacer
{
public:
    LegendPlacer(const Legend& legend, const LegendStyle& style);

    [[nodiscard]] LegendPlaces take() { return std::move(m_places); }

private:
    /// A line of entries: from which item and target on, and where.
    struct Row
    {
        std::size_t item = 0;
        std::size_t target = 0;
        double top = 0;
    };

    void addTitle();
    void addHeads(const HeadLegend& heads);
    void addHeadRow(const HeadLegendRow& row, double nameWidth, double rangeWidth);
    void addHeadGrid(const HeadLegend& heads);
    void addCategories(const CategoryLegend& categories);
    void addRamp(const std::vector<QRgb>& ramp, const QStringList& labels);
    void addText(LegendItem::Kind kind, const QRectF& box, const QString& text, int target = -1);
    void addSwatch(QPointF centre, QRgb color, MarkerShape shape, int target);
    [[nodiscard]] int addTarget(const QRectF& box, LegendHit::Kind kind, std::int64_t index);
    [[nodiscard]] double lineStep() const;
    void beginRow() { m_rows.push_back({m_places.items.size(), m_places.targets.size(), m_bottom}); }
    void foldRows();
    void addEyes();
    void finish();

    const Legend& m_legend;
    const LegendStyle& m_style;
    LegendPlaces m_places;
    std::vector<Row> m_rows;
    double m_padding = 0;
    double m_bottom = 0;    ///< where the next row goes
    double m_headWidth = 0; ///< with the room at the right of the title
};

LegendPlacer::LegendPlacer(const Legend& legend, const LegendStyle& style) : m_legend(legend), m_style(style)
{
    m_padding = m_style.card ? kCardPadding : 0;
    m_bottom = m_padding;
    addTitle();
    m_places.headBottom = m_bottom;
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

double LegendPlacer::lineStep() const
{
    return std::ceil(1.6 * m_style.textPx);
}

void LegendPlacer::addText(LegendItem::Kind kind, const QRectF& box, const QString& text, int target)
{
    LegendItem item;
    item.kind = kind;
    item.box = box;
    item.text = text;
    item.target = target;
    m_places.items.push_back(std::move(item));
}

void LegendPlacer::addSwatch(QPointF centre, QRgb color, MarkerShape shape, int target)
{
    const double radius = 0.42 * m_style.textPx;
    LegendItem item;
    item.kind = LegendItem::Kind::Swatch;
    item.box = QRectF(centre - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
    item.color = color;
    item.shape = m_style.shapes ? shape : MarkerShape::Circle;
    item.target = target;
    m_places.items.push_back(std::move(item));
}

int LegendPlacer::addTarget(const QRectF& box, LegendHit::Kind kind, std::int64_t index)
{
    m_places.targets.push_back({box, {kind, index}});
    return static_cast<int>(m_places.targets.size()) - 1;
}

void LegendPlacer::addTitle()
{
    if (m_legend.title.isEmpty())
        return;
    const double room = m_style.maxWidth - 2 * m_padding - m_style.headRight;
    const double width = std::min(room, textWidth(m_legend.title, legendFont(m_style, LegendItem::Kind::Title)));
    const double step = lineStep() + 2;
    m_headWidth = width;
    addText(LegendItem::Kind::Title, {m_padding, m_bottom, width, step}, m_legend.title);
    const double hintWidth = textWidth(m_legend.hint, legendFont(m_style, LegendItem::Kind::Label));
    if (!m_legend.hint.isEmpty())
    {
        if (width + kGap + hintWidth > room) // a line of its own rather than dots
            m_bottom += step;
        else
            m_headWidth += kGap + hintWidth;
        const double left = width + kGap + hintWidth > room ? m_padding : m_padding + width + kGap;
        addText(LegendItem::Kind::Label, {left, m_bottom, std::min(room, hintWidth), step}, m_legend.hint);
    }
    m_headWidth += m_style.headRight;
    m_bottom += step + 2 + m_style.headBelow;
}

void LegendPlacer::addHeads(const HeadLegend& heads)
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
        nameWidth = std::max(nameWidth, textWidth(row.name, legendFont(m_style, LegendItem::Kind::Label)));
        rangeWidth = std::max(rangeWidth, textWidth(row.range, legendFont(m_style, LegendItem::Kind::Label)));
    }
    for (const HeadLegendRow& row : heads.rows)
        addHeadRow(row, nameWidth, rangeWidth);
}

void LegendPlacer::addHeadRow(const HeadLegendRow& row, double nameWidth, double rangeWidth)
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
    const QRectF rangeBox(left + used + kGap, m_bottom,
                          textWidth(row.range, legendFont(m_style, LegendItem::Kind::Label)), step);
    const int group = addTarget({m_padding, m_bottom, rangeBox.right() - m_padding, step * static_cast<double>(lines)},
                                LegendHit::Kind::Group, row.group);
    addText(LegendItem::Kind::Label, {m_padding, m_bottom, nameWidth, step}, row.name, group);
    addText(LegendItem::Kind::Label, rangeBox, row.range, group);
    m_bottom += step * static_cast<double>(std::max<std::size_t>(1, lines));
}

void LegendPlacer::addHeadGrid(const HeadLegend& heads)
{
    // Every head is a group of its own: swatch and number, several in a line.
    const double step = lineStep();
    double numberWidth = 0;
    for (const HeadLegendRow& row : heads.rows)
        numberWidth = std::max(numberWidth, textWidth(row.range, legendFont(m_style, LegendItem::Kind::Label)));
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
        addText(LegendItem::Kind::Label, {x + swatch + 2, y, numberWidth, step}, row.range, target);
    }
    m_bottom += step * static_cast<double>((heads.rows.size() + perLine - 1) / perLine);
}

void LegendPlacer::addCategories(const CategoryLegend& categories)
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
        nameWidth = std::max(nameWidth, textWidth(entry.name, legendFont(m_style, LegendItem::Kind::Name)));
        countWidth =
            std::max(countWidth, textWidth(groupedNumber(entry.count), legendFont(m_style, LegendItem::Kind::Number)));
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
        addText(LegendItem::Kind::Name, {left, m_bottom, nameWidth, step}, entry.name, target);
        addText(LegendItem::Kind::Number, {left + nameWidth + kGap, m_bottom, countWidth, step},
                groupedNumber(entry.count), target);
        m_bottom += step;
    }
    if (shown < total)
    {
        std::int64_t counted = 0;
        for (std::size_t i = shown; i < total; ++i)
            counted += categories.entries[i].count;
        const QString text = QStringLiteral("%1 more: %2 %3")
                                 .arg(QString::number(total - shown), groupedNumber(counted), categories.unit);
        const double width = std::min(m_style.maxWidth - left - m_padding,
                                      textWidth(text, legendFont(m_style, LegendItem::Kind::Label)));
        addText(LegendItem::Kind::Label, {left, m_bottom, width, step}, text);
        m_bottom += step;
    }
}

void LegendPlacer::addRamp(const std::vector<QRgb>& ramp, const QStringList& labels)
{
    const double step = lineStep();
    const double width = std::min(m_style.maxWidth - 2 * m_padding, 13 * m_style.textPx);
    LegendItem item;
    item.kind = LegendItem::Kind::Ramp;
    item.box = {m_padding, m_bottom + 2, width, std::ceil(0.8 * m_style.textPx)};
    item.ramp = ramp;
    m_bottom = item.box.bottom() + 2;
    m_places.items.push_back(std::move(item));
    const double each = width / static_cast<double>(std::max<qsizetype>(1, labels.size()));
    for (qsizetype i = 0; i < labels.size(); ++i)
    {
        const double textLength = std::min(each, textWidth(labels[i], legendFont(m_style, LegendItem::Kind::Label)));
        const double share = labels.size() > 1 ? static_cast<double>(i) / static_cast<double>(labels.size() - 1) : 0;
        addText(LegendItem::Kind::Label, {m_padding + share * (width - textLength), m_bottom, textLength, step},
                labels[i]);
    }
    m_bottom += step + 4;
}

void LegendPlacer::addEyes()
{
    double right = 0;
    for (const LegendItem& item : m_places.items)
        right = std::max(right, item.box.right());
    const double width = std::ceil(1.3 * m_style.textPx);
    for (std::size_t i = 0; i < m_places.targets.size(); ++i)
    {
        LegendTarget& target = m_places.targets[i];
        if (target.hit.kind == LegendHit::Kind::Head)
            continue;
        LegendItem item;
        item.kind = LegendItem::Kind::Eye;
        item.box = QRectF(right + kGap, target.box.top(), width, lineStep());
        item.target = static_cast<int>(i);
        target.box.setRight(item.box.right());
        m_places.items.push_back(std::move(item));
    }
}

void LegendPlacer::finish()
{
    if (m_style.columns > 1)
        foldRows();
    if (m_style.eyes)
        addEyes();
    double right = m_padding + m_headWidth;
    for (const LegendItem& item : m_places.items)
        right = std::max(right, item.box.right());
    m_places.rows = m_rows.size();
    m_places.size = QSizeF(std::ceil(right + m_padding), std::ceil(m_bottom + (m_style.card ? m_padding - 4 : 0)));
}

void LegendPlacer::foldRows()
{
    if (m_rows.size() < 2)
        return;
    const auto columns = static_cast<std::size_t>(m_style.columns);
    const std::size_t perColumn = (m_rows.size() + columns - 1) / columns;
    double right = m_padding;
    for (std::size_t i = m_rows.front().item; i < m_places.items.size(); ++i)
        right = std::max(right, m_places.items[i].box.right());
    const double pitch = std::ceil(right - m_padding) + kBetweenLegendColumns;
    const double end = m_bottom;
    double bottom = m_rows.front().top;
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        const bool last = r + 1 == m_rows.size();
        const std::size_t column = r / perColumn;
        const QPointF move(static_cast<double>(column) * pitch, m_rows.front().top - m_rows[column * perColumn].top);
        for (std::size_t i = m_rows[r].item; i < (last ? m_places.items.size() : m_rows[r + 1].item); ++i)
            m_places.items[i].box.translate(move);
        for (std::size_t i = m_rows[r].target; i < (last ? m_places.targets.size() : m_rows[r + 1].target); ++i)
            m_places.targets[i].box.translate(move);
        bottom = std::max(bottom, (last ? end : m_rows[r + 1].top) + move.y());
    }
    m_bottom = bottom;
}

} // namespace

QFont legendFont(const LegendStyle& style, LegendItem::Kind kind)
{
    if (kind == LegendItem::Kind::Title)
        return textFont(style.textPx + 1, QFont::DemiBold);
    return textFont(kind == LegendItem::Kind::Name ? style.textPx : style.textPx - 1);
}

LegendPlaces placeLegend(const Legend& legend, const LegendStyle& style)
{
    return LegendPlacer(legend, style).take();
}

} // namespace headscope::viz
