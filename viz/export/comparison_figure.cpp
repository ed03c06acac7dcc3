// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/comparison_figure.h"

#include "model/data/maps/map_text.h"
#include "viz/axis/figure_legend.h"
#include "viz/axis/text.h"
#include "viz/export/figure_export.h"
#include "viz/export/figure_text.h"
#include "viz/export/map_figures.h"
#include "viz/export/map_layer.h"

#include <QLineF>
#include <QPainter>
#include <QPen>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace headscope::viz
{
namespace
{

/// A map beside another is at least so wide, in points; in a narrower figure it lies under it.
constexpr double kMinPanel = 140;
constexpr double kNotePt = 7;
constexpr double kEndRadius = 1.7; ///< of the rings at the ends of a strong line, in points

/// Where the maps and what stands over and under them go, from (0, 0).
struct Places
{
    std::vector<QRectF> titles;
    std::vector<QRectF> maps;
    QRectF note;
    double height = 0;
};

QFont titleFont()
{
    return textFont(kFigureTextPt, QFont::DemiBold);
}

class ComparisonDrawing
{
public:
    ComparisonDrawing(ComparisonFigure figure, FigureOptions& options, bool vector)
        : m_figure(std::move(figure)), m_vector(vector)
    {
        const QSizeF room(contentWidth(options), contentHeight(options));
        const HeightOfWidth height = [this](double width) { return placesIn({width, 0}).height; };
        LegendStyle style;
        style.textPx = kFigureTextPt;
        const MapLayer first = layerOf(0, placesIn({room.width(), height(room.width())}).maps.front().size());
        style.shapes = vector || showsShapes(first.radius() * dprOf(options));
        m_parts = figureLegend(m_figure.coloring.legend, style, room, height);
        m_places = placesIn(m_parts.picture.size());
        followContent(options, m_parts.size.height());
    }

    void paint(QPainter& painter, QPointF corner, double dpr) const
    {
        painter.save();
        painter.translate(corner);
        std::vector<ViewTransform> views;
        for (std::size_t i = 0; i < m_figure.panels.size(); ++i)
        {
            const QRectF& box = m_places.maps[i];
            const MapLayer layer = layerOf(i, box.size());
            paintMapLayer(painter, box, dpr, layer, m_figure.numThreads, m_vector);
            views.push_back(layer.view);
            double top = m_places.titles[i].top();
            const double step = lineHeight(titleFont());
            for (const QString& line : wrappedLines(m_figure.panels[i].title, titleFont(), box.width()))
            {
                drawLine(painter, {box.left(), top, box.width(), step}, line, titleFont(), inks(InkTheme::Light).ink);
                top += step;
            }
        }
        paintBetween(painter);
        paintLines(painter, views);
        double top = m_places.note.top();
        const QFont font = textFont(kNotePt);
        for (const QString& line : noteLines(m_places.note.width()))
        {
            drawLine(painter, {m_places.note.left(), top, m_places.note.width(), lineHeight(font)}, line, font,
                     inks(InkTheme::Light).secondary);
            top += lineHeight(font);
        }
        painter.restore();
        m_parts.paint(painter, corner, m_figure.faded);
    }

private:
    [[nodiscard]] QStringList noteLines(double width) const
    {
        return m_figure.note.isEmpty() ? QStringList() : wrappedLines(m_figure.note, textFont(kNotePt), width);
    }

    /// @param room  height 0: as high as the maps' windows want
    [[nodiscard]] Places placesIn(QSizeF room) const
    {
        const std::size_t count = m_figure.panels.size();
        const bool beside = count > 1 && room.width() >= 2 * kMinPanel + kFigureGap;
        const std::size_t columns = beside ? count : 1;
        const std::size_t rows = count / columns;
        const double width =
            (room.width() - kFigureGap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
        double title = 0;
        for (const MapPanel& panel : m_figure.panels)
            if (!panel.title.isEmpty())
                title =
                    std::max(title, 3 + lineHeight(titleFont()) *
                                            static_cast<double>(wrappedLines(panel.title, titleFont(), width).size()));
        const double note = static_cast<double>(noteLines(room.width()).size()) * lineHeight(textFont(kNotePt));
        const double noteGap = note > 0 ? 4 : 0;
        const double gaps = kFigureGap * static_cast<double>(rows - 1);
        double map = width * windowShape(m_figure.panels.front().window);
        if (room.height() > 0)
            map = std::max(1.0, (room.height() - note - noteGap - gaps) / static_cast<double>(rows) - title);
        Places places;
        for (std::size_t i = 0; i < count; ++i)
        {
            const double left = static_cast<double>(i % columns) * (width + kFigureGap);
            const double top = static_cast<double>(i / columns) * (title + map + kFigureGap);
            places.titles.emplace_back(left, top, width, title);
            places.maps.emplace_back(left, top + title, width, map);
        }
        places.note = QRectF(0, places.maps.back().bottom() + noteGap, room.width(), note);
        places.height = places.note.bottom();
        return places;
    }

    [[nodiscard]] MapLayer layerOf(std::size_t panel, QSizeF box) const
    {
        ScatterData data;
        data.xy = m_figure.panels[panel].map->xy.values();
        data.index = m_figure.coloring.index;
        data.colors = m_figure.coloring.colors;
        data.shapes = m_figure.coloring.shapes;
        data.states = m_figure.states;
        return {data, ScatterMode::Dots, m_figure.panels[panel].window, box};
    }

    /// A hairline between the maps, as on the screen.
    void paintBetween(QPainter& painter) const
    {
        const QColor& hairline = inks(InkTheme::Light).hairline;
        for (std::size_t i = 1; i < m_places.maps.size(); ++i)
        {
            const QRectF& before = m_places.maps[i - 1];
            const QRectF& map = m_places.maps[i];
            const double middle = kFigureGap / 2;
            if (map.left() > before.left())
                painter.fillRect(
                    QRectF(map.left() - middle, m_places.titles[i].top(), 0.5, map.bottom() - m_places.titles[i].top()),
                    hairline);
            else
                painter.fillRect(QRectF(map.left(), m_places.titles[i].top() - middle, map.width(), 0.5), hairline);
        }
    }

    void paintLines(QPainter& painter, const std::vector<ViewTransform>& views) const
    {
        if (m_figure.lines.empty())
            return;
        const Inks& ink = inks(InkTheme::Light);
        const auto placeOf = [&](std::size_t panel, QPointF data) {
            return views[panel].screenFromData(data) / kUnitsPerPoint + m_places.maps[panel].topLeft();
        };
        const QRectF all = m_places.maps.front().united(m_places.maps.back());
        QColor pale = ink.secondary;
        pale.setAlphaF(0.45F);
        for (const bool strong : {false, true})
        {
            painter.setPen(strong ? QPen(ink.accent, 1) : QPen(pale, 0.5));
            painter.setBrush(ink.background);
            for (const MoveLine& line : m_figure.lines)
            {
                if (line.strong != strong)
                    continue;
                const QPointF from = placeOf(0, line.from);
                const QPointF to = placeOf(m_figure.panels.size() - 1, line.to);
                // An SVG of Qt knows no clip: what leaves the maps is cut here.
                if (const auto inside = cutTo(all, {from, to}))
                    painter.drawLine(*inside);
                for (const QPointF end : {from, to})
                    if (strong && all.contains(end))
                        painter.drawEllipse(end, kEndRadius, kEndRadius);
            }
        }
    }

    /// The part of a line inside a box (Liang and Barsky), or nothing.
    [[nodiscard]] static std::optional<QLineF> cutTo(const QRectF& box, const QLineF& line)
    {
        double begin = 0;
        double end = 1;
        const std::pair<double, double> sides[] = {{-line.dx(), line.x1() - box.left()},
                                                   {line.dx(), box.right() - line.x1()},
                                                   {-line.dy(), line.y1() - box.top()},
                                                   {line.dy(), box.bottom() - line.y1()}};
        for (const auto& [step, room] : sides)
        {
            if (step == 0 && room < 0)
                return std::nullopt;
            if (step < 0)
                begin = std::max(begin, room / step);
            else if (step > 0)
                end = std::min(end, room / step);
        }
        if (begin >= end)
            return std::nullopt;
        return QLineF(line.pointAt(begin), line.pointAt(end));
    }

    ComparisonFigure m_figure;
    bool m_vector;
    FigureLegend m_parts;
    Places m_places;
};

Result<FigureSpec> comparisonSpec(const ComparisonFigure& figure, const ModelInfo& info, FigureOptions options)
{
    if (figure.panels.empty())
        return Error{ErrorCode::InvalidArgument, "there is no map to draw", {}, {}};
    std::int64_t points = 0;
    for (const MapPanel& panel : figure.panels)
    {
        const auto own = static_cast<std::size_t>(panel.map->xy.rows());
        if (figure.coloring.index.size() != own || (!figure.states.empty() && figure.states.size() != own))
            return Error{ErrorCode::ShapeMismatch,
                         "expected a colour for each of the map's " + std::to_string(own) + " points, found " +
                             std::to_string(figure.coloring.index.size()),
                         {},
                         {}};
        if (!dataBounds(panel.map->xy.values()))
            return Error{ErrorCode::InvalidArgument, "no point has finite coordinates", {}, {}};
        points += panel.map->xy.rows();
    }
    options.dpi = layerDpi(options);
    const HeadMap& map = *figure.panels.front().map;
    fillIn(options, mapCaption(map, info),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("perplexity"), perplexityText(map.options)},
            {QStringLiteral("affinities"), wordsOf(affinitiesText(map.options, map.xy.rows()))},
            {QStringLiteral("start"), wordsOf(startText(map))},
            {QStringLiteral("seed"), seedText(map)}});
    const bool vector = options.format != FigureFormat::Png && points <= kMaxVectorDots;
    const auto drawing = std::make_shared<const ComparisonDrawing>(figure, options, vector);
    return FigureSpec{
        [drawing](QPainter& painter, const QRectF& box, double dpr) { drawing->paint(painter, box.topLeft(), dpr); },
        std::move(options)};
}

} // namespace

Figure figureOfComparison(ComparisonFigure figure, ModelInfo info)
{
    return [figure = std::move(figure), info = std::move(info)](FigureOptions options) {
        return comparisonSpec(figure, info, std::move(options));
    };
}

} // namespace headscope::viz
