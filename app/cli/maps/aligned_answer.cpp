// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/maps/aligned_answer.h"

#include "app/cli/maps/map_facts.h"
#include "app/frames/frame_json.h"
#include "app/results/floor_text.h"
#include "app/results/trust_text.h"
#include "model/base/text/fixed_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/maps/map_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

/// The stages of the maps of heads and segments, one for each map.
std::vector<Stage> stagesOf(const HeadMapSet& set)
{
    std::vector<Stage> stages;
    for (const MapOfSet& each : set.maps)
        if (!each.map.points->head.empty())
            stages.push_back(each.map.stage);
    return stages;
}

/// Whether there are several layers or stages among the maps of heads and segments.
bool areSeveral(const HeadMapSet& set)
{
    const MapOfSet* first = nullptr;
    for (const MapOfSet& each : set.maps)
    {
        if (each.map.points->head.empty())
            continue;
        if (first != nullptr && (each.map.stage != first->map.stage || each.map.layer != first->map.layer))
            return true;
        first = &each;
    }
    return false;
}

/// Aligned maps draw nothing by a seed.
std::string startOf(const HeadMapSet& set)
{
    return set.maps.front().map.options.start == TsneStart::Given
               ? std::string("given, common to all maps")
               : fmt::format("common to all maps: principal components of all {}", unitNames(stagesOf(set)));
}

/// Number as people count it; null for the full vector.
Node numberNode(const HeadMap& map)
{
    return map.points->head.empty() ? Node() : Node(map.points->head.front() + 1);
}

/// "3", or "segment 3" where heads stand in the same table.
std::string numberText(const HeadMap& map, bool mixed)
{
    if (map.points->head.empty())
        return "all";
    const std::int32_t number = map.points->head.front() + 1;
    return mixed ? fmt::format("{} {}", unitName(map.stage), number) : std::to_string(number);
}

std::string percent(double share)
{
    return fmt::format("{:.1f}%", 100 * share);
}

/// How a map of a set differs from the others, and from its noise twins.
void addFloor(const MapOfSet& each, std::int64_t documents, Members& members)
{
    const std::optional<FloorVerdict> verdict = each.verdict();
    const FloorFinding finding = verdict ? verdict->finding : FloorFinding::Unknown;
    const bool told = finding == FloorFinding::Above || finding == FloorFinding::Within;
    members.insert(members.end(), {{"noise_floor", floorMembers(*each.map.floor, documents)},
                                   {"others", each.others ? Node(agreementMembers(*each.others, documents)) : Node()},
                                   {"exceeds_noise", told ? Node(finding == FloorFinding::Above) : Node()},
                                   {"noise_difference", verdictNode(verdict)}});
}

/// "above noise", "above noise, r undecided", "too few twins".
std::string findingCell(const FloorVerdict& verdict)
{
    const bool told = verdict.finding == FloorFinding::Above || verdict.finding == FloorFinding::Within;
    if (!told)
        return std::string(findingName(verdict.finding));
    return fmt::format("{} noise{}", findingName(verdict.finding),
                       verdict.correlation == CorrelationFinding::Undecided ? ", r undecided" : "");
}

/// The columns of the twins: of few of them a difference alone, of more ranges, an interval and a verdict.
std::vector<std::string> floorColumns(std::int64_t twins)
{
    if (twins < kVerdictTwins)
        return {"with others", "r", twins == 1 ? "with replicate" : "with replicates", "r", "replicate - others"};
    return {"with others", "r", "with replicates", "range", "r", "range", "replicates - others", "difference"};
}

std::vector<std::string> floorCells(const MapOfSet& each)
{
    const NoiseFloor& floor = *each.map.floor;
    const FloorVerdict verdict = each.verdict().value_or(FloorVerdict());
    const std::string others = each.others ? percent(each.others->kept) : "-";
    const std::string r = each.others ? fixedText(each.others->correlation, 3) : "-";
    const std::string twin = percent(floor.mean.kept);
    const std::string twinR = fixedText(floor.mean.correlation, 3);
    if (floor.twins < kVerdictTwins)
        return {others, r, twin, twinR, each.others ? signedText(100 * verdict.difference, 1) : "-"};
    const Interval& ci95 = verdict.ci95;
    return {others,
            r,
            twin,
            fmt::format("{:.1f} to {:.1f}", 100 * floor.leastKept, 100 * floor.mostKept),
            twinR,
            floor.leastCorrelation && floor.mostCorrelation
                ? fixedText(*floor.leastCorrelation, 3) + " to " + fixedText(*floor.mostCorrelation, 3)
                : "-",
            std::isfinite(ci95.low) ? signedText(100 * ci95.low, 1) + " to " + signedText(100 * ci95.high, 1) : "-",
            findingCell(verdict)};
}

/// What the columns of every set of maps mean.
std::string setNote(const HeadMapSet& set, std::int64_t documents)
{
    const bool trusted = set.maps.front().map.trust.has_value();
    return fmt::format("KL: divergence from each {0}'s own affinities; not comparable between maps. r with mean: "
                       "Procrustes correlation of a\nmap with the mean of all maps of the set, including this map; "
                       "unrelated maps reach about {1:.2f} (1 / sqrt(maps)) or more.\n10 nearest preserved: {2}\n\n",
                       unitName(stagesOf(set)), 1 / std::sqrt(static_cast<double>(set.maps.size())),
                       trusted ? fmt::format("proportion of a vector's 10 nearest vectors that are among its 10 "
                                             "nearest points on the map; chance: unrelated maps share {}.",
                                             percent(chanceKept(kTrustNeighbors, documents)))
                               : std::string("not measured (--quality measures it)."));
}

/// What the verdicts of a table are, and how many they are; without twins enough, why there are none.
std::string verdictNote(const HeadMapSet& set, std::int64_t twins)
{
    if (twins < kVerdictTwins)
        return fmt::format(
            "replicate - others: in percentage points, {} only; another sample of the noise gives another value, so "
            "there is no\ninterval and no conclusion. --noise-floor {} or more gives an interval and a conclusion.\n",
            twins == 1 ? "for this noise replicate" : fmt::format("for these {} noise replicates", twins),
            kVerdictTwins);
    return fmt::format(
        "range: over the {} noise replicates. replicates - others: 95% interval of the difference in percentage "
        "points, over documents\n(jackknife) and noise replicates (Student's t). Above noise: the interval excludes 0 "
        "and all replicates differ less.\nWithin noise: the interval excludes 0 and all replicates differ more. "
        "Otherwise undecided. r undecided: r lies within the range of\nthe replicates. Contradicting: r lies beyond "
        "the replicates on the other side. Unstable: the replicates are near chance;\nsuch a map is not stable enough "
        "to compare. {} maps are tested, each at 95%: some of them may differ by chance.\n",
        twins, set.maps.size());
}

/// What r is between maps of documents in random order, the largest mean over the maps.
std::string permutedText(const HeadMapSet& set)
{
    double most = 0;
    for (const MapOfSet& each : set.maps)
        if (each.others)
            most = std::max(most, each.others->shuffledCorrelation.value_or(0));
    return most > 0 ? fmt::format("; r with the documents permuted: at most {:.3f} on average", most) : std::string();
}

std::string floorNote(const HeadMapSet& set, std::int64_t documents)
{
    const NoiseFloor& floor = *set.maps.front().map.floor;
    const auto stages = stagesOf(set);
    const bool one = floor.twins == 1;
    return fmt::format("\"with others\": proportion of a document's {} nearest neighbours that another {}'s map "
                       "preserves, mean over the other maps of {}{};\nr: Procrustes correlation. \"with {}\": both "
                       "values for {} of the same vectors with Gaussian noise of {:g} of each vector's\nroot mean "
                       "square (seed {}), with the same initialization. Chance: unrelated maps share {}{}.\n",
                       floor.mean.neighbors, unitName(stages), unitNames(stages),
                       areSeveral(set) ? "\nof all layers and stages shown" : "", one ? "replicate" : "replicates",
                       one ? "a map" : fmt::format("{} maps", floor.twins), floor.noise, floor.noiseSeed,
                       percent(chanceKept(floor.mean.neighbors, documents)), permutedText(set)) +
           verdictNote(set, floor.twins) + "A difference within the noise floor shows nothing about the data.\n\n";
}

Members mapMembers(const MapOfSet& each, std::int64_t documents)
{
    const HeadMap& map = each.map;
    Members one = {{"name", map.name},
                   {"layer", map.layer.value()},
                   {"stage", stageNode(stageName(map.stage))},
                   {"unit", map.points->head.empty() ? Node() : Node(unitName(map.stage))},
                   {"head", numberNode(map)},
                   {"kl", map.kl},
                   {"correlation", each.correlation},
                   {"hash", map.hash}};
    if (map.trust)
        one.emplace_back("quality",
                         trustMembers(*map.trust, affinityNeighbors(map.options.perplexities, map.xy.rows())));
    if (map.floor)
        addFloor(each, documents, one);
    return one;
}

TextTable tableOf(const HeadMapSet& set)
{
    const std::string unit(unitName(stagesOf(set)));
    const bool mixed = unit != "head" && unit != "segment";
    const std::optional<NoiseFloor>& floor = set.maps.front().map.floor;
    std::vector<std::string> columns = {
        "map", "layer", "stage", mixed ? "row" : unit, "KL", "r with mean", "10 nearest preserved"};
    if (floor)
    {
        const auto more = floorColumns(floor->twins);
        columns.insert(columns.end(), more.begin(), more.end());
    }
    TextTable table(columns);
    for (const MapOfSet& each : set.maps)
    {
        const HeadMap& map = each.map;
        std::vector<std::string> cells = {map.name,
                                          std::to_string(map.layer.value()),
                                          std::string(stageName(map.stage)),
                                          numberText(map, mixed),
                                          fmt::format("{:.4f}", map.kl),
                                          fixedText(each.correlation, 3),
                                          map.trust ? percent(map.trust->knn10) : "-"};
        if (floor && map.floor)
        {
            const auto more = floorCells(each);
            cells.insert(cells.end(), more.begin(), more.end());
        }
        table.add(std::move(cells));
    }
    return table;
}

/// What stands under the table of a set of maps.
std::string textBelow(const AlignedRun& run, const std::string& output, double total)
{
    const HeadMap& first = run.set.maps.front().map;
    return setNote(run.set, run.documents) + (first.floor ? floorNote(run.set, run.documents) : std::string()) +
           factsText({{"documents", withCommas(run.documents)},
                      {"maps", std::to_string(run.set.maps.size())},
                      {"perplexity", fmt::format("{}", fmt::join(first.options.perplexities, ", "))},
                      {"affinities", affinitiesText(first.options, run.documents)},
                      {"start", startOf(run.set)},
                      {"full", run.set.fullSource},
                      {"seconds", fmt::format("{:.2f} (maps {:.2f})", total, run.seconds)},
                      {"hash", run.set.hash},
                      {"output", output.empty() ? "none (-o FILE saves the maps)" : output}});
}

} // namespace

Answer alignedAnswer(const AlignedRun& run, const std::string& output, double total)
{
    Answer answer;
    Node maps = listNode(run.set.maps, [&run](const MapOfSet& each) { return Node(mapMembers(each, run.documents)); });
    const HeadMap& first = run.set.maps.front().map;
    addMembers(*answer.json, {{"points", run.documents},
                              {"changed", textOrNull(run.changed)},
                              {"perplexity", perplexityNode(first.options.perplexities)},
                              {"affinities", affinitiesName(first.options.affinities)},
                              {"affinity_neighbors", neighborsNode(first)},
                              {"start", startOf(run.set)},
                              {"iterations", first.options.iterations},
                              {"seconds", Members{{"maps", run.seconds}, {"total", total}}},
                              {"kl_note", kOwnDivergence},
                              {"chance", chanceKept(kTrustNeighbors, run.documents)},
                              {"hash", run.set.hash},
                              {"full", run.set.fullSource},
                              {"maps", std::move(maps)},
                              {"output", textOrNull(output)}});
    answer.text = tableOf(run.set).text() + '\n' + textBelow(run, output, total);
    noteLeftOut(answer, run.leftOut, "documents with a vector that contains");
    noteExaggerated(answer, first);
    return answer;
}

} // namespace headscope::cli
