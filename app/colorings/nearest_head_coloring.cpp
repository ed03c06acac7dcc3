// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/coloring_list.h"
#include "app/colorings/words.h"
#include "model/analysis/maps/nearest_centroid.h"
#include "model/base/strong_index.h"

namespace headscope::colorings
{
namespace
{

std::vector<Offer> offers(const Offered& of)
{
    const QString unit = unitText(of.stage);
    return {{{},
             tr("Nearest %1 centroid").arg(unit),
             tr("nearest %1").arg(unit),
             tr("The %1 with the nearest mean vector. A point of another colour than its neighbours is closer to "
                "another %1’s mean. Not a test: each mean includes the vector")
                 .arg(unit)}};
}

Finder finder()
{
    return {
        .key = "nearest",
        .title = tr("Comparing with centroids"),
        .needsVectors = true,
        .find = [](const HeadMap& map, const HeadVectors* vectors, int numThreads, JobContext& job) -> Result<Found> {
            HEADSCOPE_TRY(const NearestCentroids nearest,
                          nearestCentroids(*vectors, *map.points, map.options.metric, numThreads, job));
            return Found{{nearest.head.begin(), nearest.head.end()}};
        }};
}

Task make(const ColoringInput& input)
{
    if (input.found == nullptr)
        return {};
    return [points = input.points, found = input.found, palette = input.palette, unit = unitText(input.stage)] {
        std::vector<std::int32_t> nearest;
        nearest.reserve(found->front().size());
        for (const double head : found->front())
            nearest.push_back(static_cast<std::int32_t>(head));
        return viz::colorByNearestHead(*points, nearest, palette, unit);
    };
}

QString value(const ColoredPoints& of, std::size_t point)
{
    if (of.found == nullptr || of.found->front()[point] < 0)
        return {};
    const HeadIndex head(static_cast<std::int64_t>(of.found->front()[point]));
    const QString name = QStringLiteral("%1 %2").arg(capitalised(unitText(of.stage))).arg(shownNumber(head));
    return tr("nearest: %1").arg(name);
}

} // namespace

Coloring nearestHeadColoring()
{
    return {.key = "nearest-head",
            .needs = Needs::Map,
            .offers = offers,
            .make = make,
            .waiting = tr("centroids are not compared yet"),
            .finder = finder(),
            .value = value};
}

} // namespace headscope::colorings
