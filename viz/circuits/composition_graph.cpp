// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/circuits/composition_graph.h"

#include "viz/axis/text.h"
#include "viz/circuits/circuit_text.h"
#include "viz/color/category_palette.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace headscope::viz
{
namespace
{

constexpr int kSteps = 24;          ///< of a line that the pointer looks for
constexpr double kLegendLine = 1.5; ///< of the text size
constexpr std::array<const char*, 3> kKindNames = {"Q: read by queries", "K: read by keys", "V: read by values"};

QString kindText(CompositionKind kind)
{
    return QString::fromLatin1(compositionName(kind).data()).toUpper();
}

} // namespace

CompositionGraph::CompositionGraph(double textPx)
    : Picture({.name = "compositionGraph",
               .saying = Saying::Tooltip,
               .hasGround = true,
               .items = Items::Listed,
               .room = Room::Grows,
               .wanted = {760, 360},
               .least = {420, 200}}),
      m_textPx(textPx)
{}

const CompositionScores* CompositionGraph::scores() const
{
    return m_result ? m_result->composition() : nullptr;
}

void CompositionGraph::setResult(CircuitResultPtr result, const std::vector<CompositionKind>& kinds, std::size_t most)
{
    m_result = std::move(result);
    m_edges.clear();
    if (const CompositionScores* own = scores(); own != nullptr)
    {
        CompositionScores chosen = *own;
        for (const CompositionKind kind : kCompositionKinds)
            if (std::ranges::find(kinds, kind) == kinds.end())
                chosen.scores[static_cast<std::size_t>(kind)].clear();
        m_edges = strongestEdges(chosen, std::min(most, kMostLines), own->baseline);
        const std::int64_t pairs = own->layers * (own->layers - 1) / 2 * own->heads * own->heads;
        m_scores = pairs * std::ranges::count_if(chosen.scores, [](const auto& kind) { return !kind.empty(); });
    }
    arrange();
    replaced();
}

double CompositionGraph::heightWanted(double width) const
{
    const CompositionScores* own = scores();
    const double heads = own == nullptr ? 1 : static_cast<double>(own->heads);
    const QRectF grid = gridIn({0, 0, width, 0});
    return std::clamp(heads * 2.2 * m_textPx, 14 * m_textPx, 44 * m_textPx) - grid.height();
}

QRectF CompositionGraph::gridIn(const QRectF& all) const
{
    QRectF grid = all.adjusted(2.6 * m_textPx, 1.7 * m_textPx, -0.5 * m_textPx, -2.1 * m_textPx);
    const auto keys = keysBelow(grid);
    grid.setBottom(grid.bottom() -
                   (keys.empty() ? kLegendLine * m_textPx : keys.back().place.bottom() - keys.front().place.top()));
    return grid;
}

QRectF CompositionGraph::axisNameBelow(const QRectF& grid) const
{
    const double width = 6 * m_textPx;
    return {grid.right() - width, grid.bottom() + 1.7 * m_textPx, width, kLegendLine * m_textPx};
}

std::vector<CompositionGraph::Key> CompositionGraph::keysBelow(const QRectF& grid) const
{
    const QFont font = textFont(m_textPx);
    QPointF at(grid.left(), axisNameBelow(grid).top());
    double right = axisNameBelow(grid).left();
    std::vector<Key> keys;
    for (const CompositionKind kind : kCompositionKinds)
    {
        if (std::ranges::find(m_edges, kind, &CompositionEdge::kind) == m_edges.end())
            continue;
        const QString name = QString::fromLatin1(kKindNames[static_cast<std::size_t>(kind)]);
        const QSizeF size(2 * m_textPx + textWidth(name, font) + 2, kLegendLine * m_textPx);
        if (!keys.empty() && at.x() + size.width() > right) // the next line has no name of the axis
        {
            at = {grid.left(), at.y() + size.height()};
            right = grid.right();
        }
        keys.push_back({kind, {at, size}});
        at.rx() += size.width() + 2 * m_textPx;
    }
    return keys;
}

QPointF CompositionGraph::placeOfHead(std::int64_t layer, std::int64_t head) const
{
    const CompositionScores& own = *scores();
    const auto along = [](std::int64_t at, std::int64_t count) {
        return (static_cast<double>(at) + 0.5) / static_cast<double>(count);
    };
    return {m_grid.left() + along(layer, own.layers) * m_grid.width(),
            m_grid.top() + along(head, own.heads) * m_grid.height()};
}

QPainterPath CompositionGraph::pathOf(const CompositionEdge& edge) const
{
    const QPointF from = placeOfHead(edge.fromLayer, edge.fromHead);
    const QPointF to = placeOfHead(edge.toLayer, edge.toHead);
    const double bend = 0.45 * (to.x() - from.x());
    // Lines along one row are arched, so that they do not run through the heads between.
    const double arch = std::abs(from.y() - to.y()) < 1 ? -0.06 * (to.x() - from.x()) - 4 : 0;
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, arch), to + QPointF(-bend, arch), to);
    return path;
}

void CompositionGraph::arrange()
{
    m_grid = gridIn(box());
    m_keys = keysBelow(m_grid);
    m_paths.clear();
    for (const CompositionEdge& edge : m_edges)
    {
        const QPainterPath path = pathOf(edge);
        std::vector<QPointF> points;
        for (int step = 0; step <= kSteps; ++step)
            points.push_back(path.pointAtPercent(step / static_cast<double>(kSteps)));
        m_paths.push_back(std::move(points));
    }
}

std::optional<std::size_t> CompositionGraph::itemAt(QPointF place) const
{
    double nearest = 0.8 * m_textPx;
    std::optional<std::size_t> found;
    for (std::size_t item = 0; item < m_paths.size(); ++item)
        for (const QPointF& point : m_paths[item])
            if (const double distance = std::hypot(point.x() - place.x(), point.y() - place.y()); distance < nearest)
            {
                nearest = distance;
                found = item;
            }
    return found;
}

QRectF CompositionGraph::placeOf(std::size_t item) const
{
    return {m_paths[item][kSteps / 2], QSizeF()};
}

ItemText CompositionGraph::textOf(std::size_t item) const
{
    const CompositionEdge& edge = m_edges[item];
    return {.title = QStringLiteral("%1: %2 to layer %3, head %4: %5")
                         .arg(kindText(edge.kind), headText(edge.fromLayer, edge.fromHead))
                         .arg(edge.toLayer)
                         .arg(edge.toHead + 1)
                         .arg(signedNumber(edge.score, 4))};
}

QString CompositionGraph::title() const
{
    return QStringLiteral("Strongest pairs of heads");
}

QString CompositionGraph::countText() const
{
    return QStringLiteral("The %1 strongest of %2 scores").arg(m_edges.size()).arg(groupedNumber(m_scores));
}

QString CompositionGraph::summary() const
{
    return m_edges.empty() ? QString() : QStringLiteral("%1. Strongest: %2").arg(countText(), textOf(0).title);
}

void CompositionGraph::paintHeads(QPainter& painter) const
{
    const CompositionScores& own = *scores();
    const Inks& ink = inks(theme());
    const QFont font = textFont(m_textPx);
    const double column = m_grid.width() / static_cast<double>(own.layers);
    const double row = m_grid.height() / static_cast<double>(own.heads);
    const auto everyLayer = static_cast<std::int64_t>(std::max(1.0, std::ceil(1.9 * m_textPx / column)));
    const auto everyHead = static_cast<std::int64_t>(std::max(1.0, std::ceil(1.2 * m_textPx / row)));
    drawLine(painter, {box().left(), box().top(), m_grid.left() - box().left() + 3 * m_textPx, 1.4 * m_textPx},
             QStringLiteral("Head"), font, ink.secondary);
    drawLine(painter, {m_grid.left() + 3 * m_textPx, box().top(), m_grid.width() - 3 * m_textPx, 1.4 * m_textPx},
             countText(), font, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    for (std::int64_t head = 0; head < own.heads; head += everyHead)
        drawLine(painter, {box().left(), placeOfHead(0, head).y() - m_textPx, 1.9 * m_textPx, 2 * m_textPx},
                 QString::number(head + 1), font, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    for (std::int64_t layer = 0; layer < own.layers; layer += everyLayer)
        drawLine(
            painter,
            {placeOfHead(layer, 0).x() - 2 * m_textPx, m_grid.bottom() + 0.1 * m_textPx, 4 * m_textPx, 1.4 * m_textPx},
            QString::number(layer), font, ink.secondary, Qt::AlignCenter);
    const double size = std::clamp(0.1 * std::min(column, row), 0.7, 2.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink.dimmed);
    for (std::int64_t layer = 0; layer < own.layers; ++layer)
        for (std::int64_t head = 0; head < own.heads; ++head)
            painter.drawEllipse(placeOfHead(layer, head), size, size);
}

void CompositionGraph::paintEdges(QPainter& painter, std::optional<std::size_t> pointed) const
{
    const CategoryPalette palette(std::ssize(kCompositionKinds), theme());
    const double strongest = m_edges.empty() ? 1 : std::max(1e-9, m_edges.front().score);
    std::set<std::pair<std::int64_t, std::int64_t>> ends;
    for (std::size_t at = m_edges.size(); at-- > 0;)
    {
        const CompositionEdge& edge = m_edges[at];
        const bool isPointed = pointed == at;
        QColor color = palette.color(static_cast<std::int64_t>(edge.kind));
        color.setAlphaF(isPointed || !pointed ? 0.9F : 0.25F);
        const double width = (0.08 + 0.16 * std::max(0.0, edge.score / strongest)) * m_textPx;
        painter.setPen(QPen(color, width * (isPointed ? 1.6 : 1), Qt::SolidLine, Qt::RoundCap));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(pathOf(edge));
        ends.insert({edge.fromLayer, edge.fromHead});
        ends.insert({edge.toLayer, edge.toHead});
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(inks(theme()).ink);
    for (const auto& [layer, head] : ends)
        painter.drawEllipse(placeOfHead(layer, head), 0.2 * m_textPx, 0.2 * m_textPx);
}

void CompositionGraph::paintKinds(QPainter& painter) const
{
    const Inks& ink = inks(theme());
    const QFont font = textFont(m_textPx);
    const CategoryPalette palette(std::ssize(kCompositionKinds), theme());
    drawLine(painter, axisNameBelow(m_grid), QStringLiteral("Layer \u2192"), font, ink.secondary,
             Qt::AlignRight | Qt::AlignVCenter);
    for (const auto& [kind, place] : m_keys)
    {
        painter.setPen(QPen(palette.color(static_cast<std::int64_t>(kind)), 0.2 * m_textPx));
        const QPointF start(place.left(), place.center().y());
        painter.drawLine(start, start + QPointF(1.6 * m_textPx, 0));
        drawLine(painter, place.adjusted(2 * m_textPx, 0, 0, 0),
                 QString::fromLatin1(kKindNames[static_cast<std::size_t>(kind)]), font, ink.ink);
    }
}

void CompositionGraph::paint(QPainter& painter, const PictureMarks& marks) const
{
    if (scores() == nullptr)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintHeads(painter);
    paintEdges(painter, marks.pointed);
    paintKinds(painter);
}

} // namespace headscope::viz
