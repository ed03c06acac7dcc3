// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/contours.h"

#include "model/base/parallel.h"

#include <QPainter>
#include <QPainterPath>
#include <QPen>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kCellPx = 3;
/// Half of what suits a single normal cloud (Scott's rule, n^(-1/6) in the plane), because a colour
/// often has several; and never so wide that a view has only one hill.
constexpr double kSpreadFactor = 0.5;
constexpr double kWidestShare = 0.05; ///< of the view's mean side
constexpr std::array kShares = {0.5, 0.9};
constexpr std::int64_t kMinPoints = 5; ///< fewer points have no outline
constexpr std::size_t kPointsPerQuestion = 1 << 16;

/// Three box sums after one another are a normal curve for the eye; of variance (w^2 - 1) / 4 each
/// three, with w the width of a box.
void blur(ScalarField& field, double spreadCells)
{
    const auto reach = std::max<std::int64_t>(1, std::lround((std::sqrt(4 * spreadCells * spreadCells + 1) - 1) / 2));
    const auto along = [reach](float* values, std::int64_t count, std::int64_t step, std::vector<float>& sums) {
        sums.assign(static_cast<std::size_t>(count) + 1, 0.0F);
        for (std::int64_t i = 0; i < count; ++i)
            sums[static_cast<std::size_t>(i) + 1] = sums[static_cast<std::size_t>(i)] + values[i * step];
        for (std::int64_t i = 0; i < count; ++i)
        {
            const auto begin = static_cast<std::size_t>(std::max<std::int64_t>(0, i - reach));
            const auto end = static_cast<std::size_t>(std::min(count, i + reach + 1));
            values[i * step] = std::max(0.0F, sums[end] - sums[begin]);
        }
    };
    std::vector<float> sums;
    for (int pass = 0; pass < 3; ++pass)
    {
        for (std::int64_t row = 0; row < field.rows; ++row)
            along(field.values.data() + row * field.columns, field.columns, 1, sums);
        for (std::int64_t column = 0; column < field.columns; ++column)
            along(field.values.data() + column, field.rows, field.columns, sums);
    }
}

/// Standard deviation of the smoothing in cells, from how many points there are and how far apart.
double spreadFor(const ScalarField& field, double points, double widest)
{
    double x = 0, y = 0, squares = 0;
    for (std::int64_t row = 0; row < field.rows; ++row)
        for (std::int64_t column = 0; column < field.columns; ++column)
        {
            const auto here = static_cast<double>(field.values[static_cast<std::size_t>(row * field.columns + column)]);
            x += here * static_cast<double>(column);
            y += here * static_cast<double>(row);
            squares += here * static_cast<double>(column * column + row * row);
        }
    const double variance = std::max(0.0, squares / points - (x * x + y * y) / (points * points)) / 2;
    return std::clamp(kSpreadFactor * std::sqrt(variance) * std::pow(points, -1.0 / 6), 1.0, std::max(1.0, widest));
}

} // namespace

QList<QLineF> contourLines(const ScalarField& field, float level)
{
    QList<QLineF> lines;
    // A rim of zeros closes every line.
    const auto at = [&field](std::int64_t column, std::int64_t row) {
        const bool inside = column >= 0 && row >= 0 && column < field.columns && row < field.rows;
        return inside ? field.values[static_cast<std::size_t>(row * field.columns + column)] : 0.0F;
    };
    for (std::int64_t row = -1; row < field.rows; ++row)
        for (std::int64_t column = -1; column < field.columns; ++column)
        {
            // Corners clockwise from the upper left; edge e lies between corners e and e + 1.
            const std::array corner = {at(column, row), at(column + 1, row), at(column + 1, row + 1),
                                       at(column, row + 1)};
            unsigned above = 0;
            for (unsigned c = 0; c < 4; ++c)
                above |= corner[c] > level ? 1U << c : 0U;
            if (above == 0 || above == 15)
                continue;
            // Always from the left or upper end, so that both cells of an edge find the same place.
            const auto crossing = [&](unsigned edge) {
                static constexpr std::array<std::array<unsigned, 2>, 4> kEnds = {{{0, 1}, {1, 2}, {3, 2}, {0, 3}}};
                static constexpr std::array<std::array<double, 2>, 4> kPlaces = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
                const auto [from, to] = kEnds[edge];
                const double t = static_cast<double>((level - corner[from]) / (corner[to] - corner[from]));
                const double x = kPlaces[from][0] + t * (kPlaces[to][0] - kPlaces[from][0]);
                const double y = kPlaces[from][1] + t * (kPlaces[to][1] - kPlaces[from][1]);
                return QPointF((static_cast<double>(column) + x + 0.5) * field.cell,
                               (static_cast<double>(row) + y + 0.5) * field.cell);
            };
            if (above == 5 || above == 10)
            {
                const bool middleAbove = (corner[0] + corner[1] + corner[2] + corner[3]) / 4 > level;
                // Two lines cut off the corners that differ from the middle.
                const unsigned first = (above == 5) == middleAbove ? 1 : 0;
                for (const unsigned lone : {first, first + 2})
                    lines << QLineF(crossing((lone + 3) % 4), crossing(lone));
                continue;
            }
            std::array<unsigned, 2> crossed{};
            std::size_t found = 0;
            for (unsigned edge = 0; edge < 4; ++edge)
                if ((above >> edge & 1U) != (above >> (edge + 1) % 4 & 1U))
                    crossed[found++] = edge;
            lines << QLineF(crossing(crossed[0]), crossing(crossed[1]));
        }
    return lines;
}

QList<QPolygonF> joined(const QList<QLineF>& pieces)
{
    std::multimap<std::pair<double, double>, qsizetype> byEnd;
    for (qsizetype i = 0; i < pieces.size(); ++i)
        for (const QPointF& end : {pieces[i].p1(), pieces[i].p2()})
            byEnd.emplace(std::pair(end.x(), end.y()), i);
    std::vector<char> used(static_cast<std::size_t>(pieces.size()), 0);
    // The end across a piece that has not been walked yet and begins or ends here.
    const auto next = [&](const QPointF& here) -> std::optional<QPointF> {
        const auto [begin, end] = byEnd.equal_range(std::pair(here.x(), here.y()));
        for (auto entry = begin; entry != end; ++entry)
            if (char& walked = used[static_cast<std::size_t>(entry->second)]; walked == 0)
            {
                walked = 1;
                const QLineF& piece = pieces[entry->second];
                const bool fromFirst = piece.x1() == here.x() && piece.y1() == here.y();
                return fromFirst ? piece.p2() : piece.p1();
            }
        return std::nullopt;
    };
    QList<QPolygonF> ways;
    for (qsizetype i = 0; i < pieces.size(); ++i)
    {
        if (std::exchange(used[static_cast<std::size_t>(i)], char{1}) != 0)
            continue;
        QPolygonF way = {pieces[i].p1(), pieces[i].p2()};
        while (const auto place = next(way.back()))
            way << *place;
        std::ranges::reverse(way); // an open way has another half
        while (const auto place = next(way.back()))
            way << *place;
        ways << way;
    }
    return ways;
}

float levelHolding(const ScalarField& density, double share)
{
    std::vector<float> sorted = density.values;
    std::ranges::sort(sorted, std::greater());
    double total = 0;
    for (const float value : sorted)
        total += static_cast<double>(value);
    double held = 0;
    for (const float value : sorted)
    {
        held += static_cast<double>(value);
        if (held >= share * total)
            return value;
    }
    return 0;
}

std::vector<ScalarField> densityByColor(const ScatterData& data, const ViewTransform& view, double cell, int numThreads,
                                        const JobContext& job)
{
    const double side = std::sqrt(view.viewSize().width() * view.viewSize().height());
    const auto columns = static_cast<std::int64_t>(std::ceil(view.viewSize().width() / cell));
    const auto rows = static_cast<std::int64_t>(std::ceil(view.viewSize().height() / cell));
    std::vector<ScalarField> fields(std::max<std::size_t>(1, data.colors.size()));
    for (ScalarField& field : fields)
    {
        field = {columns, rows, cell, {}};
        field.values.assign(static_cast<std::size_t>(columns * rows), 0.0F);
    }
    for (std::size_t i = 0; 2 * i + 1 < data.xy.size(); ++i)
    {
        if (i % kPointsPerQuestion == 0 && job.stopRequested())
            return fields;
        if (!data.states.empty() && data.states[i] != PointState::Shown)
            continue;
        const QPointF data2(static_cast<double>(data.xy[2 * i]), static_cast<double>(data.xy[2 * i + 1]));
        const QPointF place = view.screenFromData(data2) / cell;
        if (!(place.x() >= 0 && place.y() >= 0 && place.x() < static_cast<double>(columns) &&
              place.y() < static_cast<double>(rows)))
            continue;
        const std::size_t color = data.index.empty() ? 0 : data.index[i];
        fields[color].values[static_cast<std::size_t>(static_cast<std::int64_t>(place.y()) * columns +
                                                      static_cast<std::int64_t>(place.x()))] += 1.0F;
    }
    parallelForBlocks(numThreads, static_cast<std::int64_t>(fields.size()), 1, [&](const Block& block, int) {
        if (job.stopRequested())
            return;
        ScalarField& field = fields[static_cast<std::size_t>(block.begin)];
        double points = 0;
        for (const float value : field.values)
            points += static_cast<double>(value);
        if (points < static_cast<double>(kMinPoints))
            field.values.clear();
        else
            blur(field, spreadFor(field, points, kWidestShare * side / cell));
    });
    return fields;
}

void paintContours(QPainter& painter, const ScatterData& data, const ScatterStyle& style, const ViewTransform& view,
                   int numThreads, const JobContext& job)
{
    const std::vector<ScalarField> fields = densityByColor(data, view, kCellPx, numThreads, job);
    std::vector<std::array<QList<QPolygonF>, kShares.size()>> lines(fields.size());
    parallelForBlocks(numThreads, static_cast<std::int64_t>(fields.size()), 1, [&](const Block& block, int) {
        const auto color = static_cast<std::size_t>(block.begin);
        if (fields[color].values.empty() || job.stopRequested())
            return;
        for (std::size_t share = 0; share < kShares.size(); ++share)
            lines[color][share] = joined(contourLines(fields[color], levelHolding(fields[color], kShares[share])));
    });
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (std::size_t color = 0; color < fields.size(); ++color)
        for (std::size_t share = 0; share < kShares.size(); ++share)
        {
            const QColor ink = data.colors.empty() ? inks(style.theme).ink : QColor(data.colors[color]);
            painter.setPen(QPen(ink, share == 0 ? 1.8 : 1.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            QPainterPath path; // one path: in a vector figure one element
            for (const QPolygonF& way : lines[color][share])
                path.addPolygon(way);
            painter.drawPath(path);
        }
    painter.restore();
}

} // namespace headscope::viz
