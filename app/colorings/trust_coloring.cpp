// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/colorings/coloring_list.h"
#include "app/colorings/measure_trust.h"
#include "app/colorings/scales.h"
#include "app/colorings/words.h"

#include <QLocale>

#include <cmath>
#include <numeric>
#include <utility>

namespace headscope::colorings
{
namespace
{

/// What the job finds, in this order.
constexpr std::size_t kKept = 0;
constexpr std::size_t kDivergence = 1;

std::vector<Offer> keptOffers(const Offered&)
{
    return {{{},
             tr("Neighbours preserved"),
             tr("neighbours preserved"),
             tr("How many of the 10 nearest vectors are among the 10 nearest points; almost none by chance. Measured "
                "on request")}};
}

std::vector<Offer> divergenceOffers(const Offered&)
{
    return {{{},
             tr("Divergence per point"),
             tr("divergence"),
             tr("The point’s contribution to the map’s KL divergence. A large value means a poor fit to the nearest "
                "vectors. Measured on request")}};
}

/// One job measures both.
Finder finder()
{
    return {
        .key = "trust",
        .title = tr("Measuring neighbourhood preservation and divergence"),
        .needsVectors = true,
        .find = [](const HeadMap& map, const HeadVectors* vectors, int numThreads, JobContext& job) -> Result<Found> {
            HEADSCOPE_TRY(PointTrust trust, measureTrust(*vectors, map, numThreads, job));
            return Found{std::move(trust.kept), std::move(trust.divergence)};
        }};
}

/// Few kept neighbours stand out: what fits worst.
Task makeKept(const ColoringInput& input)
{
    if (input.found == nullptr)
        return {};
    return [found = input.found, theme = input.theme] {
        const std::vector<double>& numbers = (*found)[kKept];
        const std::vector<float> values(numbers.begin(), numbers.end());
        viz::PointColoring coloring =
            viz::colorByNumber(values, viz::ColorScale(viz::reversed(viz::sequentialMap(theme)), {0, 1}),
                               tr("Neighbours preserved"), theme);
        coloring.legend.hint = tr("proportion of 10");
        return coloring;
    };
}

/// Much divergence stands out.
Task makeDivergence(const ColoringInput& input)
{
    if (input.found == nullptr)
        return {};
    return [found = input.found, theme = input.theme] {
        const std::vector<double>& numbers = (*found)[kDivergence];
        std::vector<float> values(numbers.begin(), numbers.end());
        // Each point's share of the divergence, so that maps of any size read alike.
        if (const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0); sum > 0)
            for (float& value : values)
                value = static_cast<float>(value * static_cast<double>(values.size()) / sum);
        viz::PointColoring coloring = viz::colorByNumber(
            values, viz::ColorScale(viz::sequentialMap(theme), limitsOf(values)), tr("Divergence"), theme);
        coloring.legend.hint = tr("1: the mean");
        return coloring;
    };
}

QString keptValue(const ColoredPoints& of, std::size_t point)
{
    if (of.found == nullptr || !std::isfinite((*of.found)[kKept][point]))
        return {};
    return tr("%1 of 10 preserved").arg(std::lround(10 * (*of.found)[kKept][point]));
}

QString divergenceValue(const ColoredPoints& of, std::size_t point)
{
    if (of.found == nullptr || !std::isfinite((*of.found)[kDivergence][point]))
        return {};
    return tr("KL %1").arg(QLocale().toString((*of.found)[kDivergence][point], 'g', 3));
}

} // namespace

Coloring keptColoring()
{
    return {.key = "kept",
            .needs = Needs::Map,
            .offers = keptOffers,
            .make = makeKept,
            .waiting = tr("not measured yet"),
            .finder = finder(),
            .value = keptValue};
}

Coloring divergenceColoring()
{
    return {.key = "divergence",
            .needs = Needs::Map,
            .offers = divergenceOffers,
            .make = makeDivergence,
            .waiting = tr("not measured yet"),
            .finder = finder(),
            .value = divergenceValue};
}

} // namespace headscope::colorings
