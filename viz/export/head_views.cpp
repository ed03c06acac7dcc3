// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/head_views.h"

#include "model/data/head_ranges.h"
#include "viz/axis/figure_legend.h"
#include "viz/axis/text.h"
#include "viz/export/figure_export.h"
#include "viz/export/figure_text.h"
#include "viz/export/map_layer.h"

#include <QPainter>
#include <QPen>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace headscope::viz
{
namespace
{

/// A panel is at least so wide, in points.
constexpr double kMinHeadPanel = 105;
constexpr double kPanelShape = 0.85;   ///< height by width
constexpr double kWindowMargin = 0.03; ///< of the window, free around the points

QString rangesOf(std::span<const std::int64_t> heads)
{
    return QString::fromStdString(formatHeadRanges(heads)).replace(QLatin1Char('-'), QChar(0x2013));
}

void keepRows(HeadLegend& legend, std::span<const std::int64_t> heads)
{
    std::vector<HeadLegendRow> rows;
    for (const HeadLegendRow& row : legend.rows)
    {
        HeadLegendRow kept = row;
        kept.heads.clear();
        kept.colors.clear();
        kept.shapes.clear();
        for (std::size_t i = 0; i < row.heads.size(); ++i)
        {
            if (!std::ranges::binary_search(heads, row.heads[i]))
                continue;
            kept.heads.push_back(row.heads[i]);
            kept.colors.push_back(row.colors[i]);
            kept.shapes.push_back(row.shapes[i]);
        }
        kept.range = rangesOf(kept.heads);
        if (!kept.heads.empty())
            rows.push_back(std::move(kept));
    }
    legend.rows = std::move(rows);
}

class HeadPanels
{
public:
    HeadPanels(std::shared_ptr<const HeadMap> map, MapFigure figure, HeadsOfMap shown, FigureOptions& options,
               bool vector)
        : m_map(std::move(map)), m_figure(std::move(figure)), m_shown(std::move(shown)), m_vector(vector)
    {
        const QSizeF room(contentWidth(options), contentHeight(options));
        const HeightOfWidth height = [this](double width) { return placesIn({width, 0}).back().bottom(); };
        LegendStyle style;
        style.textPx = kFigureTextPt;
        const double radius = layerOf(0, placesIn({room.width(), 0}).front().size()).radius();
        style.shapes = vector || showsShapes(radius * dprOf(options));
        m_parts = m_figure.legend ? figureLegend(m_figure.coloring.legend, style, room, height)
                                  : figureWithoutLegend(room, height);
        m_places = placesIn(m_parts.picture.size());
        followContent(options, m_parts.size.height());
    }

    void paint(QPainter& painter, QPointF corner, double dpr) const
    {
        painter.save();
        painter.translate(corner);
        const QFont font = textFont(kFigureTextPt, QFont::DemiBold);
        const QString unit = wordsOf(unitName(m_map->stage));
        for (std::size_t i = 0; i < m_places.size(); ++i)
        {
            const QRectF& box = m_places[i];
            paintMapLayer(painter, box, dpr, layerOf(i, box.size()), m_figure.numThreads, m_vector);
            painter.setPen(QPen(inks(InkTheme::Light).hairline, 0.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box);
            const QString title =
                QStringLiteral("%1 %2").arg(unit.left(1).toUpper() + unit.mid(1)).arg(m_shown.heads[i] + 1);
            drawLine(painter, {box.left(), box.top() - titleHeight(), box.width(), titleHeight()}, title, font,
                     inks(InkTheme::Light).ink);
        }
        painter.restore();
        m_parts.paint(painter, corner, m_figure.faded);
    }

private:
    [[nodiscard]] static double titleHeight() { return lineHeight(textFont(kFigureTextPt, QFont::DemiBold)) + 2; }

    /// The maps of the panels, without their titles.
    /// @param room  height 0: as high as they want
    [[nodiscard]] std::vector<QRectF> placesIn(QSizeF room) const
    {
        const auto count = static_cast<double>(m_shown.heads.size());
        const double fit = std::floor((room.width() + kFigureGap) / (kMinHeadPanel + kFigureGap));
        const double columns = std::clamp(std::ceil(std::sqrt(count)), 1.0, std::max(1.0, fit));
        const double lines = std::ceil(count / columns);
        const double width = (room.width() - kFigureGap * (columns - 1)) / columns;
        double height = width * kPanelShape;
        if (room.height() > 0)
            height = std::max(1.0, (room.height() - kFigureGap * (lines - 1)) / lines - titleHeight());
        std::vector<QRectF> places;
        for (std::size_t i = 0; i < m_shown.heads.size(); ++i)
        {
            const auto column = static_cast<double>(i % static_cast<std::size_t>(columns));
            const auto line = static_cast<double>(i / static_cast<std::size_t>(columns));
            places.emplace_back(column * (width + kFigureGap),
                                line * (height + titleHeight() + kFigureGap) + titleHeight(), width, height);
        }
        return places;
    }

    [[nodiscard]] MapLayer layerOf(std::size_t panel, QSizeF box) const
    {
        // One state a point and panel: kept while the layer is painted.
        m_states.resize(m_shown.states.size());
        for (std::size_t i = 0; i < m_states.size(); ++i)
            m_states[i] = m_map->points->head[i] == m_shown.heads[panel] ? m_shown.states[i] : PointState::Hidden;
        ScatterData data;
        data.xy = m_map->xy.values();
        data.index = m_figure.coloring.index;
        data.colors = m_figure.coloring.colors;
        data.shapes = m_figure.coloring.shapes;
        data.states = m_states;
        return {data, m_figure.mode, m_shown.window, box};
    }

    std::shared_ptr<const HeadMap> m_map;
    MapFigure m_figure;
    HeadsOfMap m_shown;
    bool m_vector;
    mutable std::vector<PointState> m_states;
    FigureLegend m_parts;
    std::vector<QRectF> m_places;
};

} // namespace

Result<HeadsOfMap> headsOfMap(const HeadMap& map, std::span<const std::int64_t> heads)
{
    if (map.points == nullptr || std::ssize(map.points->head) != map.xy.rows())
        return Error{ErrorCode::InvalidArgument, "the points of this map are not heads", {}, {}};
    HeadsOfMap shown;
    shown.heads.assign(heads.begin(), heads.end());
    shown.states.assign(map.points->head.size(), PointState::Hidden);
    std::set<std::int64_t> all;
    std::set<std::int64_t> found;
    std::vector<float> xy;
    for (std::size_t i = 0; i < shown.states.size(); ++i)
    {
        const std::int64_t head = map.points->head[i];
        all.insert(head);
        const auto row = static_cast<std::int64_t>(i);
        if (!std::ranges::binary_search(shown.heads, head) || !std::isfinite(map.xy(row, 0)) ||
            !std::isfinite(map.xy(row, 1)))
            continue;
        shown.states[i] = PointState::Shown;
        found.insert(head);
        xy.insert(xy.end(), {map.xy(row, 0), map.xy(row, 1)});
    }
    for (const std::int64_t head : shown.heads)
        if (!found.contains(head))
            return Error{ErrorCode::InvalidArgument,
                         "expected " + std::string(unitName(map.stage)) + "s that are on the map, found " +
                             std::to_string(head + 1) + ", which has no point on the map",
                         {},
                         {}};
    if (shown.heads.empty())
        return Error{ErrorCode::InvalidArgument, "there is no head to show", {}, {}};
    shown.window = *dataBounds(xy);
    const double around = kWindowMargin * std::max({shown.window.width(), shown.window.height(), 1e-6});
    shown.window.adjust(-around, -around, around, around);
    const QString unit = wordsOf(unitName(map.stage));
    if (std::ssize(shown.heads) < std::ssize(all)) // else nothing is left out
        shown.note = QStringLiteral("Shown: %1 %2, a zoom of the map of all %3.")
                         .arg(shown.heads.size() == 1 ? unit : unit + QLatin1Char('s'), rangesOf(shown.heads),
                              counted(std::ssize(all), unit));
    return shown;
}

void keepHeads(Legend& legend, std::span<const std::int64_t> heads)
{
    if (auto* own = std::get_if<HeadLegend>(&legend.content))
        keepRows(*own, heads);
    else if (auto* strengths = std::get_if<StrengthLegend>(&legend.content))
        keepRows(strengths->heads, heads);
}

namespace
{

/// A part of a map, with more at its sides where it is steeper than a whole map: two have room on a page.
QRectF noSteeper(QRectF window)
{
    constexpr double kShape = 0.75;
    const double more = window.height() / kShape - window.width();
    return more > 0 ? window.adjusted(-more / 2, 0, more / 2, 0) : window;
}

Result<FigureSpec> headPanelsSpec(const std::shared_ptr<const HeadMap>& map, const ModelInfo& info, MapFigure figure,
                                  std::span<const std::int64_t> heads, FigureOptions options)
{
    HEADSCOPE_TRY(HeadsOfMap shown, headsOfMap(*map, heads));
    if (figure.coloring.index.size() != shown.states.size())
        return Error{ErrorCode::ShapeMismatch,
                     "expected a colour for each of the map's " + std::to_string(shown.states.size()) +
                         " points, found " + std::to_string(figure.coloring.index.size()),
                     {},
                     {}};
    options.dpi = layerDpi(options);
    keepHeads(figure.coloring.legend, shown.heads);
    fillIn(options,
           mapCaption(*map, info) + QLatin1Char(' ') + shown.note +
               QStringLiteral(" One panel per %1, all with the same axes.").arg(wordsOf(unitName(map->stage))) +
               figureSentences(figure),
           mapParameters(*map, info));
    const bool shaded = figure.mode == ScatterMode::Density || figure.mode == ScatterMode::MeanColor;
    const bool vector = options.format != FigureFormat::Png && !shaded && map->xy.rows() <= kMaxVectorDots;
    const auto drawing = std::make_shared<const HeadPanels>(map, std::move(figure), std::move(shown), options, vector);
    return FigureSpec{
        [drawing](QPainter& painter, const QRectF& box, double dpr) { drawing->paint(painter, box.topLeft(), dpr); },
        std::move(options)};
}

} // namespace

Figure figureOfHeadsOnMap(std::shared_ptr<const HeadMap> map, ModelInfo info, MapFigure figure,
                          std::vector<std::int64_t> heads)
{
    return [map = std::move(map), info = std::move(info), figure = std::move(figure),
            heads = std::move(heads)](FigureOptions options) -> Result<FigureSpec> {
        HEADSCOPE_TRY(HeadsOfMap shown, headsOfMap(*map, heads));
        MapFigure part = figure;
        keepHeads(part.coloring.legend, shown.heads);
        part.states = std::move(shown.states);
        part.window = noSteeper(shown.window);
        if (options.caption.isEmpty())
            options.caption = mapCaption(*map, info) + QLatin1Char(' ') + shown.note + figureSentences(part);
        return figureOfMap(map, info, std::move(part))(std::move(options));
    };
}

Figure figureOfHeadPanels(std::shared_ptr<const HeadMap> map, ModelInfo info, MapFigure figure,
                          std::vector<std::int64_t> heads)
{
    return [map = std::move(map), info = std::move(info), figure = std::move(figure), heads = std::move(heads)](
               FigureOptions options) { return headPanelsSpec(map, info, figure, heads, std::move(options)); };
}

} // namespace headscope::viz
