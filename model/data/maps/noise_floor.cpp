// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/noise_floor.h"

#include <cmath>
#include <map>

namespace headscope
{
namespace
{

/// Difference of the kept shares and the points of one document.
struct DocumentSum
{
    double difference = 0;
    std::int64_t points = 0;
};

/// The 95 % interval of a mean over points, by leaving out one document at a time (Efron & Tibshirani 1993, chapter
/// 11).
Interval leavingOut(const std::map<std::int32_t, DocumentSum>& sums, double total, std::int64_t points)
{
    const auto documents = static_cast<double>(sums.size());
    if (sums.size() < 2)
        return {};
    double mean = 0;
    double squares = 0;
    const auto without = [&](const DocumentSum& sum) {
        return (total - sum.difference) / static_cast<double>(points - sum.points);
    };
    for (const auto& [document, sum] : sums)
        mean += without(sum) / documents;
    for (const auto& [document, sum] : sums)
        squares += (without(sum) - mean) * (without(sum) - mean);
    const double half = 1.959963984540054 * std::sqrt((documents - 1) / documents * squares);
    const double all = total / static_cast<double>(points);
    return {all - half, all + half};
}

FloorFinding findingOf(const FloorVerdict& verdict, const MapAgreement& maps, const NoiseFloor& floor,
                       std::int64_t points)
{
    if (nearChance(floor, points))
        return FloorFinding::Unstable;
    if (!std::isfinite(verdict.ci95.low))
        return FloorFinding::Unknown;
    const bool above = verdict.ci95.low > 0 && maps.kept < floor.leastKept;
    const bool within = verdict.ci95.high < 0;
    if (!above && !within)
        return FloorFinding::Unclear;
    if (above ? maps.correlation > floor.mean.correlation : maps.correlation < floor.mean.correlation)
        return FloorFinding::Contradict;
    return above ? FloorFinding::Above : FloorFinding::Within;
}

} // namespace

FloorVerdict floorVerdict(const MapAgreement& maps, std::span<const float> kept,
                          std::span<const std::int32_t> documents, const NoiseFloor& floor,
                          std::span<const std::int32_t> own)
{
    FloorVerdict verdict;
    verdict.difference = floor.mean.kept - maps.kept;
    const auto points = static_cast<std::int64_t>(kept.size());
    if (!kept.empty() && documents.size() == kept.size() && own.size() == kept.size() &&
        floor.keptByPoint.size() == kept.size())
    {
        std::map<std::int32_t, DocumentSum> sums;
        double total = 0;
        for (std::size_t i = 0; i < kept.size(); ++i)
        {
            sums[own[i]].difference += static_cast<double>(floor.keptByPoint[i]);
            DocumentSum& sum = sums[documents[i]];
            sum.difference -= static_cast<double>(kept[i]);
            ++sum.points;
            total += static_cast<double>(floor.keptByPoint[i]) - static_cast<double>(kept[i]);
        }
        verdict.ci95 = leavingOut(sums, total, points);
    }
    verdict.finding =
        findingOf(verdict, maps, floor, std::max<std::int64_t>(points, static_cast<std::int64_t>(own.size())));
    return verdict;
}

} // namespace headscope
