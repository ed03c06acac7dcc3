// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/heatmap_figures.h"

#include "model/data/head_ranges.h"
#include "model/data/key_sharing.h"
#include "viz/axis/key_line.h"
#include "viz/axis/text.h"
#include "viz/chart/match_bars.h"
#include "viz/color/inks.h"
#include "viz/export/figure_export.h"
#include "viz/export/figure_text.h"
#include "viz/heatmap/heatmap_painter.h"
#include "viz/heatmap/heatmap_scale.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kTextPt = kFigureTextPt;
constexpr double kGap = kFigureGap;

QString rowsText(HeatmapRows rows, bool grouped)
{
    switch (rows)
    {
    case HeatmapRows::Index:
        return {};
    case HeatmapRows::GroupMean:
        return grouped ? QStringLiteral("Rows by KV group (segments one by one), largest mean first.")
                       : QStringLiteral("Rows by mean, largest first.");
    case HeatmapRows::FollowsFull:
        return QStringLiteral("Rows by Spearman\u2019s correlation with the full row.");
    case HeatmapRows::Selectivity:
        return QStringLiteral("Rows by the proportion of variance between topics.");
    case HeatmapRows::Clusters:
        return QStringLiteral("Rows clustered (Euclidean distance, average linkage).");
    }
    return {};
}

/// Which heads, or segments, have a row, where it is not all of them.
QString headsText(const std::vector<std::int64_t>& heads, const ModelInfo& info, std::span<const Stage> stages)
{
    if (heads.empty() || static_cast<std::int64_t>(heads.size()) == info.heads)
        return {};
    QString units = wordsOf(unitNames(stages));
    units[0] = units[0].toUpper();
    return QStringLiteral("%1 shown: %2.").arg(units, QString::fromStdString(formatHeadRanges(heads)));
}

/// What the marks above the columns and the bars beside the heatmaps stand for, in the words of the window.
std::vector<KeyEntry> keyOf(const HeatmapFigure& figure, bool withMatch)
{
    std::vector<KeyEntry> key;
    if (!figure.lit.empty())
        key.push_back(
            {QStringLiteral("selected documents, others pale"), KeyEntry::Mark::Tick, inks(InkTheme::Light).accent});
    if (withMatch)
        std::ranges::move(matchKey(*figure.match), std::back_inserter(key));
    return key;
}

/// One heatmap of a figure, and how its rows stand.
struct Shown
{
    std::shared_ptr<const Heatmap> heatmap;
    std::vector<std::int64_t> rows; ///< empty: all, by index
    std::shared_ptr<const ClusterTree> tree{};
};

/// A heatmap is so high by its width, but no lower than its rows need.
double heightOf(const Shown& shown, double width)
{
    constexpr double kShape = 0.34;
    constexpr double kLeast = 96;
    constexpr double kMost = 200;
    constexpr double kRow = 3.5; ///< of a head
    const auto rows = static_cast<double>(shown.rows.empty() ? shown.heatmap->values.rows() - 1
                                                             : static_cast<std::int64_t>(shown.rows.size()));
    return std::max(std::clamp(kShape * width, kLeast, kMost), kRow * (rows + 1.4) + 2 * kFigureGap);
}

/// Heatmaps under each other in one style; the last one carries letters and key.
class HeatmapsDrawing
{
public:
    /// @param free  width that is left free at the right, and height below
    HeatmapsDrawing(std::vector<Shown> shown, const ModelInfo& info, HeatmapStyle style, FigureOptions& options,
                    QSizeF free = {0, 0})
        : m_shown(std::move(shown)), m_info(info), m_style(std::move(style))
    {
        m_style.textPx = kTextPt;
        const double width = contentWidth(options) - free.width();
        constexpr double kTall = 2000; // for measuring: the key takes the same height in any box
        HeatmapStyle last = m_style;
        const QRectF tall(0, 0, width, kTall);
        last.leastLeft = widestLeft(last, tall);
        last.rows = m_shown.back().rows;
        m_key = kTall - HeatmapLayout(*m_shown.back().heatmap, info, tall, last).plot().bottom();
        const double gaps = kGap * static_cast<double>(m_shown.size() - 1);
        double height = 0;
        for (const Shown& each : m_shown)
            height = std::max(height, heightOf(each, width));
        followContent(options, height * static_cast<double>(m_shown.size()) + m_key + gaps + free.height());
    }

    void setWindow(const HeatmapWindow& window) { m_window = window; }
    void setLit(std::vector<std::uint8_t> lit) { m_lit = std::move(lit); }

    /// @param finest  every document gets at least one pixel of its own, where the file does not fix them
    void paint(QPainter& painter, const QRectF& box, double dpr, bool finest) const
    {
        const auto count = static_cast<double>(m_shown.size());
        const double each = std::max(1.0, (box.height() - m_key - kGap * (count - 1)) / count);
        HeatmapStyle style = m_style;
        // Numbers in all or in none, and names of one width, or columns would not stand under each other.
        style.commonHeight = each;
        style.leastLeft = widestLeft(style, box);
        double top = box.top();
        for (std::size_t i = 0; i < m_shown.size(); ++i)
        {
            style.key = i + 1 == m_shown.size();
            style.colorBar = m_style.colorBar && i == 0;
            style.columnTrees = i == 0; // the columns are the same in all
            style.rows = m_shown[i].rows;
            style.tree = m_shown[i].tree.get();
            const QRectF part(box.left(), top, box.width(), style.key ? box.bottom() - top : each);
            HeatmapLayout layout(*m_shown[i].heatmap, m_info, part, style);
            static_cast<void>(layout.setWindow(m_window));
            HeatmapPainter(layout, nullptr, m_lit)
                .paint(painter, finest ? dpr * std::max(1.0, std::ceil(layout.columnsPerPixel(dpr))) : dpr);
            top += each + kGap;
        }
    }

private:
    /// How far from the left the cells of all begin.
    [[nodiscard]] double widestLeft(HeatmapStyle style, const QRectF& box) const
    {
        double left = 0;
        for (const Shown& each : m_shown)
        {
            style.rows = each.rows;
            left = std::max(left, HeatmapLayout(*each.heatmap, m_info, box, style).plot().left() - box.left());
        }
        return left;
    }

    std::vector<Shown> m_shown;
    ModelInfo m_info;
    HeatmapStyle m_style;
    HeatmapWindow m_window;
    std::vector<std::uint8_t> m_lit;
    double m_key = 0;
};

bool isEmpty(const Heatmap& heatmap)
{
    return heatmap.values.cols() == 0 || heatmap.values.rows() == 0;
}

Error noHeatmap()
{
    return {ErrorCode::InvalidArgument, "there is no heatmap with documents to draw", {}, {}};
}

/// "9, 29"
QString layersText(std::span<const LayerIndex> layers)
{
    QStringList names;
    for (const LayerIndex layer : layers)
        if (const QString name = QString::number(layer.value()); !names.contains(name))
            names << name;
    return names.join(QStringLiteral(", "));
}

bool ofSeveralLayers(const std::vector<Shown>& shown)
{
    return std::ranges::any_of(
        shown, [&shown](const Shown& each) { return each.heatmap->layer != shown.front().heatmap->layer; });
}

/// How documents were chosen, where their number alone would mislead.
QString choiceWords(const Heatmap& heatmap)
{
    switch (heatmap.options.choice)
    {
    case HeatmapChoice::Best:
        return QStringLiteral(", the nearest documents of each topic (at most %1)").arg(heatmap.options.perTopic);
    case HeatmapChoice::Sample:
        return QStringLiteral(", at most %1 of each topic, sampled with seed %2")
            .arg(heatmap.options.perTopic)
            .arg(heatmap.options.seed);
    case HeatmapChoice::First:
        break;
    }
    return {};
}

void describe(FigureOptions& options, const std::vector<Shown>& shown, const ModelInfo& info, const QString& more)
{
    const Heatmap& last = *shown.back().heatmap;
    QStringList stages;
    std::vector<Stage> all;
    std::vector<LayerIndex> layers;
    for (const Shown& each : shown)
    {
        stages << wordsOf(stageName(each.heatmap->stage));
        all.push_back(each.heatmap->stage);
        layers.push_back(each.heatmap->layer);
    }
    const QString tests = QStringLiteral("Cells are not tested: for each row, headscope heatmap gives the contrast "
                                         "between topics with interval, null, p and q. ");
    fillIn(options, QString(heatmapCaption(last, info, all, layers) + u' ' + tests + more).simplified(),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("stages"), stages.join(QStringLiteral(", "))},
            {QStringLiteral("layer"), layersText(layers)},
            {QStringLiteral("documents"), QString::number(last.values.cols())},
            {QStringLiteral("seed"), QString::number(last.options.seed)},
            {QStringLiteral("input"), QString::fromStdString(last.inputHash)}});
}

/// What a caption says where cells lie beyond the colours' ends; else empty.
QString beyondText(const std::vector<Shown>& shown, ScaleLimits limits)
{
    std::int64_t beyond = 0;
    std::int64_t cells = 0;
    for (const Shown& each : shown)
        for (const float value : each.heatmap->values.values())
        {
            cells += std::isfinite(value) ? 1 : 0;
            beyond += value < limits.low || value > limits.high ? 1 : 0;
        }
    return beyond == 0
               ? QString()
               : QStringLiteral("%1 of %2 cells are beyond the ends of the scale and have the colours of the ends.")
                     .arg(groupedNumber(beyond), groupedNumber(cells));
}

QString orderWords(const Heatmap& heatmap)
{
    const ColumnOrder& order = heatmap.options.order;
    switch (order.by)
    {
    case ColumnOrder::By::Full:
        return QStringLiteral("sorted by the full vector");
    case ColumnOrder::By::Head:
        return QStringLiteral("sorted by %1 %2")
            .arg(wordsOf(unitName(heatmap.stage)), QString::number(shownNumber(order.head)));
    case ColumnOrder::By::Clusters:
        return QStringLiteral("similar columns together");
    case ColumnOrder::By::Index:
        break;
    }
    return QStringLiteral("in index order");
}

/// Heatmaps and how they stand in a figure.
struct ShownHeatmaps
{
    std::vector<Shown> shown;
    HeatmapStyle style; ///< with its scale
    QSizeF free{0, 0};  ///< as of HeatmapsDrawing
    HeatmapWindow window{};
    std::vector<std::uint8_t> lit{};
};

using HeatmapsDrawingPtr = std::shared_ptr<const HeatmapsDrawing>;

/// Draws heatmaps; as panels of another figure they can do without the colour bar that they have in common.
/// @param painted  a drawing with all that stands around it
FigureSpec shownSpec(const ShownHeatmaps& all, const ModelInfo& info,
                     const std::function<Drawing(HeatmapsDrawingPtr drawing)>& painted, FigureOptions options)
{
    HeatmapStyle withoutBar = all.style;
    withoutBar.colorBar = withoutBar.colorBarRoom = false;
    FigureOptions bareOptions = options;
    const auto drawn = [&all, &info, &painted](const HeatmapStyle& style, FigureOptions& paper) {
        auto drawing = std::make_shared<HeatmapsDrawing>(all.shown, info, style, paper, all.free);
        drawing->setWindow(all.window);
        drawing->setLit(all.lit);
        return painted(std::move(drawing));
    };
    Drawing bare = drawn(withoutBar, bareOptions);
    Drawing whole = drawn(all.style, options);
    const ColorScale& scale = *all.style.scale;
    SharedLegend shared{{QStringLiteral("Cosine"), {}, NumberLegend{scale}},
                        {.textPx = kTextPt},
                        std::move(bare),
                        contentHeight(bareOptions)};
    return {std::move(whole), std::move(options), std::move(shared), scale.limits()};
}

} // namespace

QString heatmapCaption(const Heatmap& heatmap, const ModelInfo& info, std::span<const Stage> all,
                       std::span<const LayerIndex> layers)
{
    const std::array own = {heatmap.stage};
    const std::span<const Stage> stages = all.empty() ? std::span<const Stage>(own) : all;
    const std::array ownLayer = {heatmap.layer};
    const QString shown = layersText(layers.empty() ? std::span<const LayerIndex>(ownLayer) : layers);
    const QString sorted = orderWords(heatmap);
    QString caption =
        QStringLiteral("Cosine of each document with its true topic, for the full vector and each %1 of %2 (layer%3); "
                       "%4 documents of %5 topics%6, %7 within a topic")
            .arg(wordsOf(unitName(stages)), modelName(info),
                 (shown.contains(u',') ? QStringLiteral("s ") : QStringLiteral(" ")) % shown,
                 groupedNumber(heatmap.values.cols()), groupedNumber(static_cast<qint64>(heatmap.topicNames.size())),
                 choiceWords(heatmap), sorted);
    if (!heatmap.topicSource.empty())
        caption += QStringLiteral("; topics: %1").arg(QString::fromStdString(heatmap.topicSource));
    if (!heatmap.fullSource.empty())
        caption += QStringLiteral("; full: %1").arg(QString::fromStdString(heatmap.fullSource));
    return caption + QLatin1Char('.') + segmentColorsNote(stages) +
           finalNormSentence(info, heatmap.layer, heatmap.stage);
}

namespace
{

using Panels = std::vector<std::shared_ptr<const HeatmapPanel>>;

/// The bars of the match beside heatmaps, and their key below.
struct MatchBeside
{
    std::shared_ptr<const TopicMatch> match;
    double width = 0; ///< with the gap; 0: there is none
    std::vector<KeyEntry> key{};
    double below = 0;
};

constexpr double kMatchWidth = 104;
constexpr double kKeyPt = kTextPt - 1;

MatchBeside matchBeside(const HeatmapFigure& figure, double contentWidth)
{
    constexpr double kMinHeatmaps = 160;
    MatchBeside beside{figure.match};
    if (figure.match != nullptr && contentWidth >= kMinHeatmaps + kMatchWidth + kGap)
        beside.width = kMatchWidth + kGap;
    beside.key = keyOf(figure, beside.width > 0);
    beside.below = beside.key.empty() ? 0 : keyHeight(beside.key, contentWidth, kKeyPt) + kGap / 2;
    return beside;
}

Result<FigureSpec> panelsSpec(const Panels& panels, const ModelInfo& info, const HeatmapFigure& figure,
                              FigureOptions options)
{
    if (panels.empty() || std::ranges::any_of(panels, [](const auto& panel) { return isEmpty(*panel->heatmap); }))
        return noHeatmap();
    // The tree is that of all heads.
    const bool tree = figure.rows == HeatmapRows::Clusters && figure.heads.empty();
    std::vector<Shown> shown;
    std::vector<Stage> stages;
    bool grouped = false;
    std::vector<std::shared_ptr<const Heatmap>> heatmaps;
    for (const auto& panel : panels)
    {
        heatmaps.push_back(panel->heatmap);
        shown.push_back({panel->heatmap, heatmapRows(*panel, info, figure.rows, figure.heads)});
        if (tree)
            shown.back().tree = {panel, &panel->heads};
        stages.push_back(panel->heatmap->stage);
        grouped = grouped || hasKvGroups(info, panel->heatmap->stage);
    }
    const ScaleLimits limits = commonLimits(heatmaps);
    const MatchBeside beside = matchBeside(figure, contentWidth(options));
    QString more = rowsText(figure.rows, grouped) + u' ' + headsText(figure.heads, info, stages);
    if (beside.width > 0)
        more += QStringLiteral(" Bars: documents whose true topic is %1. %2")
                    .arg(matchLevels(figure.match->result), matchTests(*figure.match));
    HeatmapStyle style;
    style.theme = options.theme;
    style.layerInTitle = ofSeveralLayers(shown);
    style.scale = figure.scale ? scaleOf(*figure.scale, InkTheme::Light) : heatmapScale(limits, InkTheme::Light);
    more += u' ' + beyondText(shown, figure.scale ? figure.scale->limits : limits);
    describe(options, shown, info, more);
    style.pooling = figure.pooling;
    style.treeRoom = tree;
    style.marks = !figure.lit.empty();
    const auto painted = [beside, palette = HeadPalette(info, options.theme), heads = figure.heads,
                          finest = options.format != FigureFormat::Png](HeatmapsDrawingPtr drawing) -> Drawing {
        return [=](QPainter& painter, const QRectF& box, double dpr) {
            const QRectF parts = box.adjusted(0, 0, 0, -beside.below);
            drawing->paint(painter, parts.adjusted(0, 0, -beside.width, 0), dpr, finest);
            if (beside.width > 0)
                paintMatchBars(painter, *beside.match, palette, heads,
                               {parts.right() - kMatchWidth, parts.top(), kMatchWidth, parts.height()}, kTextPt);
            paintKey(painter, beside.key, {box.left(), parts.bottom() + kGap / 2, box.width(), beside.below - kGap / 2},
                     kKeyPt);
        };
    };
    return shownSpec({std::move(shown), style, {beside.width, beside.below}, figure.window, figure.lit}, info, painted,
                     std::move(options));
}

} // namespace

Figure figureOfHeatmapPanels(Panels panels, ModelInfo info, HeatmapFigure figure)
{
    return [panels = std::move(panels), info = std::move(info), figure = std::move(figure)](FigureOptions options) {
        return panelsSpec(panels, info, figure, std::move(options));
    };
}

Figure figureOfHeatmaps(std::vector<std::shared_ptr<const Heatmap>> heatmaps, ModelInfo info,
                        std::optional<ScaleChoice> scale)
{
    return [heatmaps = std::move(heatmaps), info = std::move(info),
            scale = std::move(scale)](FigureOptions options) -> Result<FigureSpec> {
        if (heatmaps.empty() || std::ranges::any_of(heatmaps, [](const auto& heatmap) { return isEmpty(*heatmap); }))
            return noHeatmap();
        std::vector<Shown> shown;
        for (const auto& heatmap : heatmaps)
            shown.push_back({heatmap, {}});
        HeatmapStyle style;
        style.theme = options.theme;
        style.layerInTitle = ofSeveralLayers(shown);
        style.scale = scale ? scaleOf(*scale, InkTheme::Light) : heatmapScale(commonLimits(heatmaps), InkTheme::Light);
        describe(options, shown, info, beyondText(shown, style.scale->limits()));
        const auto painted = [finest = options.format != FigureFormat::Png](HeatmapsDrawingPtr drawing) -> Drawing {
            return [=](QPainter& painter, const QRectF& box, double dpr) { drawing->paint(painter, box, dpr, finest); };
        };
        return shownSpec({std::move(shown), style}, info, painted, std::move(options));
    };
}

} // namespace headscope::viz
