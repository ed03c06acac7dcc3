// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/floor_text.h"

#include "model/base/text/fixed_text.h"
#include "model/data/frame/method_names.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope
{

namespace
{

Node known(const std::optional<double>& value)
{
    return value ? Node(*value) : Node();
}

std::string twinsText(std::int64_t twins)
{
    return twins == 1 ? std::string("one noise replicate") : fmt::format("{} noise replicates", twins);
}

} // namespace

Members agreementMembers(const MapAgreement& agreement, std::int64_t points)
{
    return {{"neighbors", agreement.neighbors},
            {"kept", agreement.kept},
            {"chance", chanceKept(agreement.neighbors, points)},
            {"chance_within_heads", known(agreement.keptWithin)},
            {"correlation", agreement.correlation},
            {"correlation_shuffled", known(agreement.shuffledCorrelation)}};
}

std::string_view findingName(FloorFinding finding)
{
    switch (finding)
    {
    case FloorFinding::Unknown:
        return "unknown";
    case FloorFinding::Unstable:
        return "unstable";
    case FloorFinding::FewTwins:
        return "too_few_twins";
    case FloorFinding::Undecided:
        return "undecided";
    case FloorFinding::Contradict:
        return "contradicting";
    case FloorFinding::Above:
        return "above";
    case FloorFinding::Within:
        return "within";
    case FloorFinding::Method:
        return "same_vectors";
    }
    return "unknown";
}

std::string_view correlationName(CorrelationFinding finding)
{
    switch (finding)
    {
    case CorrelationFinding::Unknown:
        return {};
    case CorrelationFinding::Agrees:
        return "agrees";
    case CorrelationFinding::Undecided:
        return "undecided";
    case CorrelationFinding::Contradicts:
        return "contradicts";
    }
    return {};
}

std::string findingText(FloorFinding finding, CorrelationFinding correlation)
{
    const std::string r = correlation == CorrelationFinding::Undecided
                              ? "; r lies within the range of the noise replicates and is inconclusive"
                              : "";
    switch (finding)
    {
    case FloorFinding::Unknown:
        return "inconclusive: an interval needs the proportion per point and its spread over noise replicates; measure "
               "the noise floor again";
    case FloorFinding::Unstable:
        return "inconclusive: the map is not stable enough to compare; its own noise replicates are near chance";
    case FloorFinding::FewTwins:
        return fmt::format("inconclusive: the result for one noise replicate depends on the sampled noise; at least "
                           "{0} replicates are needed (tsne --noise-floor {0})",
                           kVerdictTwins);
    case FloorFinding::Undecided:
        return "inconclusive: not distinguishable from noise; the interval includes 0, or the other map lies among the "
               "noise replicates";
    case FloorFinding::Contradict:
        return "inconclusive: neighbours and r contradict each other; one is above the noise floor, the other below";
    case FloorFinding::Above:
        return "above the noise floor: fewer neighbours are preserved than between noise replicates of the same data" +
               r;
    case FloorFinding::Within:
        return "within the noise floor: all noise replicates of the same data differ by more; this difference shows "
               "nothing about the data" +
               r;
    case FloorFinding::Method:
        return "above the noise floor, but not because of the data: both maps are of the same vectors" + r;
    }
    return {};
}

Node verdictNode(const std::optional<FloorVerdict>& verdict)
{
    if (!verdict)
        return {};
    const bool told = std::isfinite(verdict->ci95.low);
    return Members{
        {"value", verdict->difference},
        {"ci95", verdict->ci95},
        {"ci95_method", told ? Node(fmt::format("{} and Student's t over the noise replicates", kJackknife)) : Node()},
        {"finding", findingName(verdict->finding)},
        {"correlation_finding", textOrNull(correlationName(verdict->correlation))}};
}

std::string verdictText(const FloorVerdict& verdict, std::int64_t twins)
{
    const Interval& ci95 = verdict.ci95;
    const std::string value = signedText(100 * verdict.difference, 1) + " percentage points of neighbours preserved";
    if (std::isfinite(ci95.low))
        return fmt::format("{} (95% CI over documents and {}: {} to {})", value, twinsText(twins),
                           signedText(100 * ci95.low, 1), signedText(100 * ci95.high, 1));
    return twins < kVerdictTwins
               ? fmt::format("{}, for {} {} only (no interval)", value, twins == 1 ? "this" : "these", twinsText(twins))
               : value + " (no interval)";
}

Members floorMembers(const NoiseFloor& floor, std::int64_t points)
{
    Members members = agreementMembers(floor.mean, points);
    members.insert(members.end(), {{"kept_least", floor.leastKept},
                                   {"kept_most", floor.mostKept},
                                   {"correlation_least", known(floor.leastCorrelation)},
                                   {"correlation_most", known(floor.mostCorrelation)},
                                   {"twins", floor.twins},
                                   {"noise", floor.noise},
                                   {"seed", floor.noiseSeed}});
    return members;
}

std::string chanceText(const MapAgreement& agreement, std::int64_t points, std::string_view units)
{
    const std::string unrelated =
        fmt::format("chance: unrelated maps share {:.1f}%", 100 * chanceKept(agreement.neighbors, points));
    return agreement.keptWithin ? fmt::format("{}, maps that only separate the {} share {:.1f}%", unrelated, units,
                                              100 * *agreement.keptWithin)
                                : unrelated;
}

std::string correlationText(const MapAgreement& agreement, std::string_view units)
{
    if (!agreement.shuffledCorrelation)
        return "r " + fixedText(agreement.correlation, 3);
    return fmt::format("r {} (documents permuted{}: {})", fixedText(agreement.correlation, 3),
                       agreement.keptWithin ? fmt::format(" inside {}", units) : std::string(),
                       fixedText(*agreement.shuffledCorrelation, 3));
}

std::string agreementText(const MapAgreement& agreement, std::int64_t points, std::string_view units)
{
    return fmt::format("{:.1f}% of the {} nearest neighbours ({}), {}", 100 * agreement.kept, agreement.neighbors,
                       chanceText(agreement, points, units), correlationText(agreement, units));
}

FactLines floorLines(const NoiseFloor& floor, std::int64_t points, std::string_view units)
{
    std::string spread = "; only one noise replicate: another sample of the noise would give a different proportion";
    if (floor.twins > 1)
        spread = fmt::format("; range over {} noise replicates: {:.1f} to {:.1f}%", floor.twins, 100 * floor.leastKept,
                             100 * floor.mostKept);
    if (floor.twins > 1 && floor.leastCorrelation && floor.mostCorrelation)
        spread +=
            fmt::format(", r {} to {}", fixedText(*floor.leastCorrelation, 3), fixedText(*floor.mostCorrelation, 3));
    return {{"noise floor", agreementText(floor.mean, points, units) + spread},
            {"", fmt::format("preserved by a map of the same vectors with Gaussian noise of {:g} of each vector's root "
                             "mean square (seed {});",
                             floor.noise, floor.noiseSeed)},
            {"", nearChance(floor, points) ? "near chance: the map is not stable enough to compare with another"
                                           : "two maps that share this proportion of neighbours differ no more than "
                                             "this map does from its noise replicates"}};
}

} // namespace headscope
