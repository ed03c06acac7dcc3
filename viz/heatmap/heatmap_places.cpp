// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_places.h"

#include "model/data/last_layer.h"
#include "viz/axis/text.h"
#include "viz/color/head_palette.h"
#include "viz/heatmap/heatmap_scale.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace headscope::viz
{
namespace
{

constexpr double kMarks = 6;
constexpr double kColumnTree = 22;
constexpr double kHeadTree = 40;

/// What the rows of a stage are, as its title says it.
QString stagePhrase(Stage stage)
{
    switch (stage)
    {
    case Stage::HeadOutput:
        return QStringLiteral("heads before o_proj");
    case Stage::ProjectedSegment:
        return QStringLiteral("segments of o_proj\u2019s output");
    case Stage::OutputSegment:
        return QStringLiteral("segments of the layer\u2019s output");
    case Stage::Contribution:
        return QStringLiteral("contribution of each head to the output of o_proj");
    case Stage::Embedding:
        return QStringLiteral("the sentence embedding");
    }
    return {};
}

/// Takes the parts from the edges of the box inwards; the cells get what is left.
class Measure
{
public:
    Measure(const Heatmap& heatmap, const ModelInfo& info, const ModelInfo& grouped, const QRectF& box,
            const HeatmapStyle& style, const ColorScale& scale)
        : m_heatmap(heatmap), m_info(info), m_grouped(grouped), m_style(style), m_scale(scale),
          m_small(textFont(style.textPx - 1)), m_line(lineHeight(m_small)), m_top(box.top()), m_right(box.right()),
          m_bottom(box.bottom())
    {
        m_at.box = box;
    }

    HeatmapPlaces measure()
    {
        orderRows();
        placeSides();
        if (m_style.title)
            placeTitle();
        const double bandsTop = m_top;
        placeBands(m_top, m_right);
        if (m_style.key)
            placeKeyBelow();
        placePlot(bandsTop);
        return std::move(m_at);
    }

private:
    void orderRows();
    void placeSides();
    void placeTitle();
    void placeBands(double& top, double& right);
    void placeKeyBelow();
    void placeKey(double left, double width);
    void placePlot(double bandsTop);
    [[nodiscard]] double widestName() const;
    [[nodiscard]] std::int64_t numHeads() const { return std::max<std::int64_t>(0, m_heatmap.values.rows() - 1); }
    [[nodiscard]] std::int64_t rowAt(std::int64_t place) const { return m_at.order[static_cast<std::size_t>(place)]; }

    const Heatmap& m_heatmap;
    const ModelInfo& m_info;
    const ModelInfo& m_grouped;
    const HeatmapStyle& m_style;
    const ColorScale& m_scale;
    QFont m_small;
    double m_line;
    double m_left = 0;
    double m_top;
    double m_right;
    double m_bottom;
    HeatmapPlaces m_at;
};

void Measure::orderRows()
{
    m_at.order = m_style.rows;
    m_at.place.assign(static_cast<std::size_t>(1 + numHeads()), -1);
    const bool known = std::all_of(m_at.order.begin(), m_at.order.end(),
                                   [this](std::int64_t row) { return row >= 1 && row <= numHeads(); });
    if (m_at.order.empty() || !known)
    {
        m_at.order.resize(static_cast<std::size_t>(numHeads()));
        std::iota(m_at.order.begin(), m_at.order.end(), 1);
    }
    for (std::size_t i = 0; i < m_at.order.size(); ++i)
        m_at.place[static_cast<std::size_t>(m_at.order[i])] = static_cast<std::int64_t>(i);
    const std::int64_t size = m_grouped.groupSize();
    if (size < 1 || m_info.heads != numHeads())
        return;
    std::vector<bool> seen(static_cast<std::size_t>(numHeads() / size + 1), false);
    for (std::int64_t i = 0; i < m_at.headsShown();)
    {
        const std::int64_t group = (rowAt(i) - 1) / size;
        std::int64_t end = i;
        while (end < m_at.headsShown() && (rowAt(end) - 1) / size == group)
            ++end;
        if (seen[static_cast<std::size_t>(group)]) // a group is torn apart: no brackets at all
        {
            m_at.brackets.clear();
            return;
        }
        seen[static_cast<std::size_t>(group)] = true;
        m_at.brackets.push_back({group, i, end});
        i = end;
    }
}

/// Names and numbers of rows at the left, the colour bar at the right.
void Measure::placeSides()
{
    double names = textWidth(QStringLiteral("full"), m_small);
    for (std::int64_t group = 0; group < std::max<std::int64_t>(1, m_grouped.kvHeads); ++group)
        names = std::max(names, textWidth(groupName(GroupIndex(group), m_grouped.groupSize()), m_small));
    m_at.stripWidth = std::max(4.0, 0.55 * m_style.textPx);
    // Numbers of single heads stand beside their colours where rows are high enough for them.
    const double roughRow = (m_style.commonHeight.value_or(m_at.box.height()) - 3 * m_line) /
                            static_cast<double>(std::max<std::int64_t>(1, m_at.headsShown()));
    if (roughRow >= 0.72 * m_line || m_at.brackets.empty())
        m_at.numberWidth = textWidth(QString::number(numHeads()), m_small) + 4;
    const double ownLeft =
        names + kHeatmapGap + (m_at.brackets.empty() ? 0 : kHeatmapGap) + m_at.numberWidth + m_at.stripWidth + 2;
    m_left = m_at.box.left() + std::max(ownLeft, m_style.leastLeft);
    if (!m_style.colorBar && !m_style.colorBarRoom)
        return;
    const ScaleLimits limits = m_scale.limits();
    double labels = 0;
    for (const double value : {limits.low, scaleMiddle(m_scale), limits.high})
        labels = std::max(labels, textWidth(shortNumber(value), m_small));
    // Its title is above it. Without the bar its room is the same, or columns would not be under each other.
    labels = std::max(
        {labels, textWidth(heatmapScaleTitle(), m_small) - m_at.stripWidth - 4, textWidth(scaleMiddleName(), m_small)});
    m_right -= labels + 4 + m_at.stripWidth + 2 * kHeatmapGap;
}

void Measure::placeTitle()
{
    m_at.title =
        QRectF(m_left, m_top, std::max(0.0, m_right - m_left), std::ceil(lineHeight(textFont(m_style.textPx)) + 4));
    if (textWidth(heatmapTitle(m_heatmap, m_info, m_style.layerInTitle), textFont(m_style.textPx, QFont::DemiBold)) >
        m_at.title.width())
        m_at.title = QRectF(m_at.box.left(), m_top, m_at.box.width(), m_at.title.height()); // rather than dots
    m_top = m_at.title.bottom() + 2;
    if (m_style.colorBar && m_at.title.right() > m_right)
        m_top += m_line; // of the bar's title, which is above the bar
}

void Measure::placeBands(double& top, double& right)
{
    // Heights now, places when the plot is known; one under the other from the title down.
    if (m_style.columnTrees && std::any_of(m_heatmap.columnTrees.begin(), m_heatmap.columnTrees.end(),
                                           [](const ClusterTree& tree) { return !tree.joins.empty(); }))
    {
        m_at.columnTree = QRectF(0, 0, 0, kColumnTree);
        top += kColumnTree + 2;
    }
    if (m_style.marks)
    {
        m_at.marks =
            QRectF(0, m_at.columnTree.height() + (m_at.columnTree.isNull() && m_at.columnTree.height() <= 0 ? 0 : 2), 0,
                   kMarks);
        top += kMarks;
    }
    if (m_style.treeRoom || m_style.tree != nullptr)
    {
        m_at.headTree.setWidth(kHeadTree - 3);
        right -= kHeadTree;
    }
}

void Measure::placeKeyBelow()
{
    if (widestName() <= m_right - m_left)
        placeKey(m_left, std::max(1.0, m_right - m_left));
    else // all of the width rather than dots
        placeKey(m_at.box.left(), m_at.box.width());
    double keyHeight = 0;
    for (const QRectF& key : m_at.keyBoxes)
        keyHeight = std::max(keyHeight, key.bottom() + kHeatmapGap);
    for (QRectF& key : m_at.keyBoxes)
        key.translate(0, m_bottom - keyHeight + kHeatmapGap);
    m_bottom -= keyHeight;
}

double Measure::widestName() const
{
    const QFont small = textFont(m_style.textPx - 1);
    double widest = 1;
    for (std::size_t topic = 0; topic < m_heatmap.topicNames.size(); ++topic)
        widest = std::max(widest, textWidth(topicLetter(static_cast<std::int64_t>(topic)) + QStringLiteral("  ") +
                                                QString::fromStdString(m_heatmap.topicNames[topic]),
                                            small));
    return widest + 2 * kHeatmapGap;
}

void Measure::placeKey(double left, double width)
{
    const QFont small = textFont(m_style.textPx - 1);
    const double line = std::ceil(lineHeight(small)) + 2;
    const auto numTopics = static_cast<std::int64_t>(m_heatmap.topicNames.size());
    const double pitch = std::min(width, widestName());
    const auto perLine = std::max<std::int64_t>(1, static_cast<std::int64_t>(width / pitch));
    const std::int64_t lines = (numTopics + perLine - 1) / perLine;
    // Down the columns, as an index is read. Places are relative to the key's top; the caller moves them.
    for (std::int64_t topic = 0; topic < numTopics; ++topic)
        m_at.keyBoxes.emplace_back(left + static_cast<double>(topic / lines) * pitch,
                                   static_cast<double>(topic % lines) * line, pitch - 2 * kHeatmapGap, line);
}

void Measure::placePlot(double bandsTop)
{
    if (m_style.key || m_style.letters)
    {
        m_at.letters = QRectF(m_left, m_bottom - m_line - 2, m_right - m_left, m_line);
        m_bottom = m_at.letters.top() - 4;
    }
    m_at.plot = QRectF(m_left, m_top, std::max(0.0, m_right - m_left), std::max(0.0, m_bottom - m_top));
    for (QRectF* band : {&m_at.columnTree, &m_at.marks})
        *band = QRectF(m_left, bandsTop + band->top(), m_at.plot.width(), band->height());
    if (m_style.colorBar)
        m_at.bar = QRectF(m_right + 2 * kHeatmapGap, m_top, m_at.stripWidth,
                          std::min(m_at.plot.height(), 14 * m_style.textPx));
    const double rows = static_cast<double>(std::max<std::int64_t>(1, m_at.headsShown()));
    m_at.fullGap = std::min(3.0, m_at.plot.height() / (4 * rows));
    m_at.fullHeight = std::max(0.0, 1.4 * (m_at.plot.height() - m_at.fullGap) / (rows + 1.4));
    const QRectF area = m_at.headsArea();
    m_at.headTree = QRectF(m_right + 3, area.top(), m_at.headTree.width(), area.height());
}

} // namespace

QRectF HeatmapPlaces::headsArea() const
{
    const double top = plot.top() + fullHeight + fullGap;
    return {plot.left(), top, plot.width(), std::max(0.0, plot.bottom() - top)};
}

HeatmapPlaces measureHeatmap(const Heatmap& heatmap, const ModelInfo& info, const ModelInfo& grouped, const QRectF& box,
                             const HeatmapStyle& style, const ColorScale& scale)
{
    return Measure(heatmap, info, grouped, box, style, scale).measure();
}

QString heatmapTitle(const Heatmap& heatmap, const ModelInfo& info, bool layer)
{
    const std::string_view norm = finalNormNote(info, heatmap.layer, heatmap.stage);
    return QStringLiteral("%1tage %2, %3")
        .arg(layer ? QStringLiteral("Layer %1, s").arg(heatmap.layer.value()) : QStringLiteral("S"),
             QString::fromUtf8(stageName(heatmap.stage).data()),
             norm.empty() ? stagePhrase(heatmap.stage)
                          : QStringLiteral("segments %1").arg(QString::fromUtf8(norm.data())));
}

} // namespace headscope::viz
