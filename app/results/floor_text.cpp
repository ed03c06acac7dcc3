// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/floor_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace headscope::results
{

Json agreementJson(const MapAgreement& agreement, std::int64_t points)
{
    return {{"neighbors", agreement.neighbors},
            {"kept", agreement.kept},
            {"chance", chanceKept(agreement.neighbors, points)},
            {"correlation", agreement.correlation}};
}

std::string_view findingName(FloorFinding finding)
{
    switch (finding)
    {
    case FloorFinding::Unknown:
        return "unknown";
    case FloorFinding::Unstable:
        return "unstable";
    case FloorFinding::Unclear:
        return "unclear";
    case FloorFinding::Contradict:
        return "contradicting";
    case FloorFinding::Above:
        return "above";
    case FloorFinding::Within:
        return "within";
    }
    return "unknown";
}

std::string findingText(FloorFinding finding)
{
    switch (finding)
    {
    case FloorFinding::Unknown:
        return "no verdict: without the shares by point there is no interval (measure the noise floor again)";
    case FloorFinding::Unstable:
        return "no verdict: the map is not stable enough to compare, its own twins with noise are near chance";
    case FloorFinding::Unclear:
        return "no verdict: not told from noise, the interval holds 0 or one of the twins differs as much";
    case FloorFinding::Contradict:
        return "no verdict: neighbours and r contradict each other, one is above the noise floor, the other below";
    case FloorFinding::Above:
        return "above the noise floor: fewer neighbours are kept than by maps of the same data with noise";
    case FloorFinding::Within:
        return "within the noise floor: maps of the same data with noise differ by more; it says nothing about the "
               "data";
    }
    return {};
}

Json verdictJson(const std::optional<FloorVerdict>& verdict)
{
    if (!verdict)
        return {};
    const Interval& ci95 = verdict->ci95;
    return {{"value", verdict->difference},
            {"ci95", std::isfinite(ci95.low) ? Json{ci95.low, ci95.high} : Json()},
            {"ci95_method", "jackknife by document"},
            {"finding", findingName(verdict->finding)}};
}

std::string verdictText(const FloorVerdict& verdict)
{
    const Interval& ci95 = verdict.ci95;
    return fmt::format("{:+.1f} points of neighbours kept{}", 100 * verdict.difference,
                       std::isfinite(ci95.low) ? fmt::format(" (95 % by jackknife over documents: {:+.1f} to {:+.1f})",
                                                             100 * ci95.low, 100 * ci95.high)
                                               : std::string(" (no interval)"));
}

Json floorJson(const NoiseFloor& floor, std::int64_t points)
{
    Json json = agreementJson(floor.mean, points);
    json.update({{"kept_least", floor.leastKept},
                 {"kept_most", floor.mostKept},
                 {"twins", floor.twins},
                 {"noise", floor.noise},
                 {"seed", floor.noiseSeed}});
    return json;
}

std::string agreementText(const MapAgreement& agreement, std::int64_t points)
{
    return fmt::format("{:.1f} % of the {} nearest (chance {:.1f} %), r {:.3f}", 100 * agreement.kept,
                       agreement.neighbors, 100 * chanceKept(agreement.neighbors, points), agreement.correlation);
}

std::vector<std::pair<std::string, std::string>> floorFacts(const NoiseFloor& floor, std::int64_t points)
{
    const std::string range = floor.twins > 1
                                  ? fmt::format("; its {2} twins: {0:.1f} to {1:.1f} %, a range and no interval",
                                                100 * floor.leastKept, 100 * floor.mostKept, floor.twins)
                                  : std::string("; one twin");
    return {{"noise floor", agreementText(floor.mean, points) + range},
            {"", fmt::format("kept by a map of the same vectors, each moved by Gaussian noise of {:g} of its root mean "
                             "square (seed {});",
                             floor.noise, floor.noiseSeed)},
            {"", nearChance(floor, points)
                     ? "near chance: the map is not stable enough to compare with another"
                     : "noise alone changes as much: a map that keeps as many shows no other structure by that"}};
}

} // namespace headscope::results
