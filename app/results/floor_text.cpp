// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/floor_text.h"

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
    return twins == 1 ? std::string("one twin") : fmt::format("{} twins", twins);
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
    const std::string r =
        correlation == CorrelationFinding::Undecided ? "; r lies among those of the twins and decides nothing" : "";
    switch (finding)
    {
    case FloorFinding::Unknown:
        return "no verdict: without the shares by point and their spread over twins there is no interval (measure the "
               "noise floor again)";
    case FloorFinding::Unstable:
        return "no verdict: the map is not stable enough to compare, its own twins with noise are near chance";
    case FloorFinding::FewTwins:
        return fmt::format("no verdict: what one twin keeps moves with the draw of the noise, a verdict takes at least "
                           "{0} twins (tsne --noise-floor {0})",
                           kVerdictTwins);
    case FloorFinding::Undecided:
        return "undecided: not told from noise, the interval holds 0 or the other map lies among the twins";
    case FloorFinding::Contradict:
        return "no verdict: neighbours and r contradict each other, one is above the noise floor, the other below";
    case FloorFinding::Above:
        return "above the noise floor: fewer neighbours are kept than by maps of the same data with noise" + r;
    case FloorFinding::Within:
        return "within the noise floor: all twins of the same data with noise differ by more; it says nothing about "
               "the data" +
               r;
    case FloorFinding::Method:
        return "above the noise floor, and not of the data: both maps are of the same vectors" + r;
    }
    return {};
}

Node verdictNode(const std::optional<FloorVerdict>& verdict)
{
    if (!verdict)
        return {};
    const bool told = std::isfinite(verdict->ci95.low);
    return Members{{"value", verdict->difference},
                   {"ci95", verdict->ci95},
                   {"ci95_method", told ? Node(fmt::format("{} and Student's t over the twins", kJackknife)) : Node()},
                   {"finding", findingName(verdict->finding)},
                   {"correlation_finding", textOrNull(correlationName(verdict->correlation))}};
}

std::string verdictText(const FloorVerdict& verdict, std::int64_t twins)
{
    const Interval& ci95 = verdict.ci95;
    const std::string value = fmt::format("{:+.1f} percentage points of neighbours kept", 100 * verdict.difference);
    if (std::isfinite(ci95.low))
        return fmt::format("{} (95 % over documents and {}: {:+.1f} to {:+.1f})", value, twinsText(twins),
                           100 * ci95.low, 100 * ci95.high);
    return twins < kVerdictTwins ? fmt::format("{}, for {} {} alone (no interval)", value,
                                               twins == 1 ? "this" : "these", twinsText(twins))
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
        fmt::format("chance: unrelated maps {:.1f} %", 100 * chanceKept(agreement.neighbors, points));
    return agreement.keptWithin
               ? fmt::format("{}, maps that only know the {} {:.1f} %", unrelated, units, 100 * *agreement.keptWithin)
               : unrelated;
}

std::string correlationText(const MapAgreement& agreement, std::string_view units)
{
    if (!agreement.shuffledCorrelation)
        return fmt::format("r {:.3f}", agreement.correlation);
    return fmt::format("r {:.3f} (documents permuted{}: {:.3f})", agreement.correlation,
                       agreement.keptWithin ? fmt::format(" inside {}", units) : std::string(),
                       *agreement.shuffledCorrelation);
}

std::string agreementText(const MapAgreement& agreement, std::int64_t points, std::string_view units)
{
    return fmt::format("{:.1f} % of the {} nearest ({}), {}", 100 * agreement.kept, agreement.neighbors,
                       chanceText(agreement, points, units), correlationText(agreement, units));
}

FactLines floorLines(const NoiseFloor& floor, std::int64_t points, std::string_view units)
{
    std::string spread = "; one twin, and another draw of the noise gives another share";
    if (floor.twins > 1)
        spread = fmt::format("; range over {} twins: {:.1f} to {:.1f} %", floor.twins, 100 * floor.leastKept,
                             100 * floor.mostKept);
    if (floor.twins > 1 && floor.leastCorrelation && floor.mostCorrelation)
        spread += fmt::format(", r {:.3f} to {:.3f}", *floor.leastCorrelation, *floor.mostCorrelation);
    return {{"noise floor", agreementText(floor.mean, points, units) + spread},
            {"", fmt::format("kept by a map of the same vectors, each moved by Gaussian noise of {:g} of its root mean "
                             "square (seed {});",
                             floor.noise, floor.noiseSeed)},
            {"", nearChance(floor, points)
                     ? "near chance: the map is not stable enough to compare with another"
                     : "noise alone changes as much: a map that keeps as many shows no other structure by that"}};
}

} // namespace headscope
