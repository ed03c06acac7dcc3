// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/noise_floor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace headscope
{
namespace
{

constexpr double kNormal = 1.959963984540054;

/// Difference of the kept shares and the points of one document.
struct DocumentSum
{
    double difference = 0;
    std::int64_t points = 0;
};

/// Half of the 95% interval of a mean over points, by leaving out one document at a time (Efron & Tibshirani 1993,
/// chapter 11); NaN with fewer than two documents.
double halfByDocuments(const std::map<std::int32_t, DocumentSum>& sums, double total, std::int64_t points)
{
    const auto documents = static_cast<double>(sums.size());
    if (sums.size() < 2)
        return std::nan("");
    double mean = 0;
    double squares = 0;
    const auto without = [&](const DocumentSum& sum) {
        return (total - sum.difference) / static_cast<double>(points - sum.points);
    };
    for (const auto& [document, sum] : sums)
        mean += without(sum) / documents;
    for (const auto& [document, sum] : sums)
        squares += (without(sum) - mean) * (without(sum) - mean);
    return kNormal * std::sqrt((documents - 1) / documents * squares);
}

/// The 97.5% quantile of Student's t; from the tenth degree of freedom on by the first two terms of its expansion
/// (Abramowitz & Stegun 1972, 26.7.5), which are right to three digits there.
double studentQuantile(std::int64_t degrees)
{
    constexpr std::array kFirst = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
    if (degrees >= 1 && degrees <= std::ssize(kFirst))
        return kFirst[static_cast<std::size_t>(degrees - 1)];
    const auto n = static_cast<double>(degrees);
    const double third = kNormal * kNormal * kNormal;
    return kNormal + (third + kNormal) / (4 * n) +
           (5 * third * kNormal * kNormal + 16 * third + 3 * kNormal) / (96 * n * n);
}

/// The same of the mean over the twins, for other draws of the noise; NaN where their spread is not known.
double halfByTwins(const NoiseFloor& floor)
{
    if (floor.twins < kVerdictTwins || !floor.keptSd)
        return std::nan("");
    return studentQuantile(floor.twins - 1) * *floor.keptSd / std::sqrt(static_cast<double>(floor.twins));
}

/// What r says to neighbours that differ by more (`above`) or less than noise.
CorrelationFinding correlationFinding(bool above, double correlation, const NoiseFloor& floor)
{
    if (!floor.leastCorrelation || !floor.mostCorrelation)
        return CorrelationFinding::Unknown;
    if (correlation >= *floor.leastCorrelation && correlation <= *floor.mostCorrelation)
        return CorrelationFinding::Undecided;
    return above == (correlation < *floor.leastCorrelation) ? CorrelationFinding::Agrees
                                                            : CorrelationFinding::Contradicts;
}

void judge(FloorVerdict& verdict, const MapAgreement& maps, const NoiseFloor& floor, std::int64_t points)
{
    if (nearChance(floor, points))
        verdict.finding = FloorFinding::Unstable;
    else if (floor.twins < kVerdictTwins)
        verdict.finding = FloorFinding::FewTwins;
    else if (!std::isfinite(verdict.ci95.low))
        verdict.finding = FloorFinding::Unknown;
    else
    {
        const bool above = verdict.ci95.low > 0 && maps.kept < floor.leastKept;
        const bool within = verdict.ci95.high < 0 && maps.kept > floor.mostKept;
        verdict.finding = above ? FloorFinding::Above : within ? FloorFinding::Within : FloorFinding::Undecided;
        if (!above && !within)
            return;
        verdict.correlation = correlationFinding(above, maps.correlation, floor);
        if (verdict.correlation == CorrelationFinding::Contradicts)
            verdict.finding = FloorFinding::Contradict;
    }
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
        const double mean = total / static_cast<double>(points);
        const double half = std::hypot(halfByDocuments(sums, total, points), halfByTwins(floor));
        if (std::isfinite(half))
            verdict.ci95 = {mean - half, mean + half};
    }
    judge(verdict, maps, floor, std::max<std::int64_t>(points, std::ssize(own)));
    return verdict;
}

} // namespace headscope
