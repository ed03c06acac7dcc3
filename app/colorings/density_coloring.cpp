// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/coloring_list.h"
#include "app/colorings/words.h"
#include "viz/scatter/point_density.h"

#include <QLocale>

#include <cmath>

namespace headscope::colorings
{
namespace
{

std::vector<Offer> offers(const Offered&)
{
    return {{{},
             tr("Density"),
             tr("density"),
             tr("Proportion of points that lie in less dense places of the map. t-SNE evens out densities, so this "
                "shows little about the vectors")}};
}

Finder finder()
{
    return {.key = "density",
            .title = tr("Computing density"),
            .needsVectors = false,
            .find = [](const HeadMap& map, const HeadVectors*, int numThreads, JobContext&) -> Result<Found> {
                const std::vector<float> densities = viz::pointDensities(map.xy.values(), numThreads);
                return Found{{densities.begin(), densities.end()}};
            }};
}

Task make(const ColoringInput& input)
{
    if (input.found == nullptr)
        return {};
    return [found = input.found, theme = input.theme] {
        const std::vector<float> densities(found->front().begin(), found->front().end());
        return viz::colorByNumber(densities, viz::ColorScale(viz::sequentialMap(theme), {0, 1}), tr("Density"), theme);
    };
}

QString value(const ColoredPoints& of, std::size_t point)
{
    if (of.found == nullptr || !std::isfinite(of.found->front()[point]))
        return {};
    return tr("denser than %1%").arg(QLocale().toString(100.0 * of.found->front()[point], 'f', 0));
}

} // namespace

Coloring densityColoring()
{
    return {.key = "density",
            .needs = Needs::Map,
            .offers = offers,
            .make = make,
            .waiting = tr("density is not computed yet"),
            .finder = finder(),
            .value = value};
}

} // namespace headscope::colorings
