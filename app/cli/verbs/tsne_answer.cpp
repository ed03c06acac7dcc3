// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/tsne_answer.h"

#include "app/results/floor_text.h"
#include "app/results/text_table.h"
#include "app/results/trust_text.h"
#include "model/data/last_layer.h"
#include "model/data/maps/map_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

/// Aligned maps draw nothing by a seed.
constexpr const char* kConsensusStart = "common to all maps: principal components of all heads";

Json stageJson(Stage stage)
{
    const std::string_view name = stageName(stage);
    return name.size() == 1 ? Json(name[0] - '0') : Json(name);
}

std::string commonStartText(const TsneOptions& options)
{
    return options.start == TsneStart::Given ? "given, common to all maps" : kConsensusStart;
}

std::string_view initWord(TsneStart start)
{
    return start == TsneStart::Random ? "random" : start == TsneStart::Given ? "given" : "pca";
}

/// Neighbours of each point in the objective; null where it holds all pairs.
Json neighborsJson(const HeadMap& map)
{
    return map.options.affinities == TsneAffinities::Dense
               ? Json()
               : Json(affinityNeighbors(map.options.perplexities, map.xy.rows()));
}

/// Head as people count it; null for the full vector.
Json headJson(const HeadMap& map)
{
    return map.points->head.empty() ? Json() : Json(map.points->head.front() + 1);
}

/// How a map of a set differs from the others, and from its noise twins.
void addFloor(const MapOfSet& each, std::int64_t documents, Json& json, std::vector<std::string>& cells)
{
    const NoiseFloor& floor = *each.map.floor;
    json["noise_floor"] = floorJson(floor, documents);
    json["others"] = each.others ? agreementJson(*each.others, documents) : Json();
    const std::optional<FloorVerdict> verdict = each.verdict();
    const FloorFinding finding = verdict ? verdict->finding : FloorFinding::Unknown;
    const bool told = finding == FloorFinding::Above || finding == FloorFinding::Within;
    json["exceeds_noise"] = told ? Json(finding == FloorFinding::Above) : Json();
    json["noise_difference"] = verdictJson(verdict);
    cells.push_back(each.others ? fmt::format("{:.1f} %", 100 * each.others->kept) : "-");
    cells.push_back(each.others ? fmt::format("{:.3f}", each.others->correlation) : "-");
    cells.push_back(fmt::format("{:.1f} %", 100 * floor.mean.kept));
    cells.push_back(fmt::format("{:.3f}", floor.mean.correlation));
    const Interval ci95 = verdict ? verdict->ci95 : Interval();
    cells.push_back(std::isfinite(ci95.low) ? fmt::format("{:+.1f} to {:+.1f}", 100 * ci95.low, 100 * ci95.high) : "-");
    cells.emplace_back(told ? fmt::format("{} noise", findingName(finding)) : std::string(findingName(finding)));
}

/// What the columns of every set of maps mean.
std::string setNote(bool trusted, std::size_t maps)
{
    return fmt::format(
        "KL: of each head's own affinities; those of different heads are not compared by it. r with mean: "
        "Procrustes correlation of a\nmap with the mean of all maps of the set, itself included: "
        "unrelated maps reach about {:.2f} (1 / sqrt(maps)) or more.\n10 nearest kept: {}\n\n",
        1 / std::sqrt(static_cast<double>(maps)),
        trusted ? "of a vector's 10 nearest, so many are among its 10 nearest on the map."
                : "not measured (--quality does).");
}

std::string floorNote(const NoiseFloor& floor, std::int64_t documents)
{
    return fmt::format(
        "with others: share of a document's {} nearest that another head's map keeps, mean over the other "
        "maps of heads; r: Procrustes correlation.\n"
        "with twin: the same of {} of the same vectors, each moved by Gaussian noise of {:g} of its root "
        "mean square (seed {}), from the same start.\n"
        "twin - others: 95 % interval of the difference in percentage points, by a jackknife over documents, for these "
        "twins and\nothers. Above or within noise only where it excludes 0 and r does not contradict it: otherwise "
        "unclear, or contradicting.\nUnstable: the twin is near chance, {:.1f} %; such a map is not stable enough to "
        "compare. A difference within noise says nothing about the data.\n\n",
        floor.mean.neighbors, floor.twins == 1 ? "a map" : fmt::format("{} maps", floor.twins), floor.noise,
        floor.noiseSeed, 100 * chanceKept(floor.mean.neighbors, documents));
}

void noteLeftOut(Answer& answer, std::int64_t leftOut, std::string_view what)
{
    if (leftOut > 0)
        answer.notices.push_back(fmt::format("{} {} NaN or infinity were left out", leftOut, what));
}

/// A run that ends while attraction is still exaggerated has not begun to fit the affinities themselves.
void noteExaggerated(Answer& answer, const HeadMap& map)
{
    if (!isExaggerated(map))
        return;
    const TsneOptions& options = map.options;
    answer.notices.push_back(fmt::format("the run ended after {} iterations, within its early exaggeration ({} "
                                         "iterations at {:g}): clusters are drawn together more than the vectors ask "
                                         "for; more --iterations end it",
                                         map.iteration, options.exaggerationIterations, options.exaggeration));
    (*answer.json)["notices"] = answer.notices;
}

/// The answer's lines about the agreement of maps, each word defined.
std::vector<std::pair<std::string, std::string>> agreementFacts(const MapsAgreement& agreement)
{
    const auto range = [&agreement](double PairAgreement::*value) {
        const auto [least, most] =
            std::minmax_element(agreement.pairs.begin(), agreement.pairs.end(),
                                [value](const auto& a, const auto& b) { return a.*value < b.*value; });
        return std::pair((*least).*value, (*most).*value);
    };
    const auto kept = range(&PairAgreement::kept);
    const auto correlation = range(&PairAgreement::correlation);
    return {
        {"neighbours kept",
         fmt::format(
             "{:.3f} on average (all pairs: {:.3f} to {:.3f}), by chance {:.3f}: share of a point's {} nearest on one "
             "map that are among its {} nearest on another",
             agreement.kept, kept.first, kept.second, agreement.keptByChance, agreement.k, agreement.k)},
        {"correlation",
         fmt::format("{:.3f} on average (all pairs: {:.3f} to {:.3f}): of the points of two maps, one turned, "
                     "mirrored and scaled onto the other (Procrustes)",
                     agreement.correlation, correlation.first, correlation.second)},
        {"read as",
         "all maps are of the same vectors: what they do not share depends on the start; what they share may come "
         "from the start that they share"}};
}

Json agreementJson(const MapsAgreement& agreement)
{
    Json pairs = Json::array();
    for (const PairAgreement& pair : agreement.pairs)
        pairs.push_back(
            {{"maps", {pair.first, pair.second}}, {"neighbors_kept", pair.kept}, {"correlation", pair.correlation}});
    return {{"k", agreement.k},
            {"neighbors_kept", agreement.kept},
            {"chance", agreement.keptByChance},
            {"correlation", agreement.correlation},
            {"pairs", std::move(pairs)}};
}

/// Mean agreement of one map with all others.
PairAgreement withOthers(const MapsAgreement& agreement, std::size_t maps, std::size_t map)
{
    PairAgreement mean;
    for (const PairAgreement& pair : agreement.pairs)
    {
        if (static_cast<std::size_t>(pair.first) != map && static_cast<std::size_t>(pair.second) != map)
            continue;
        mean.kept += pair.kept / static_cast<double>(maps - 1);
        mean.correlation += pair.correlation / static_cast<double>(maps - 1);
    }
    return mean;
}

Json mapJson(const TsneRun& run, const TsneSource& source, double total)
{
    const HeadMap& map = run.map;
    const TsneSeconds& seconds = run.seconds;
    return {{"points", map.xy.rows()},
            {"dims", source.points.vectors.cols()},
            {"perplexity", perplexityJson(map.options.perplexities)},
            {"affinities", affinitiesName(map.options.affinities)},
            {"affinity_neighbors", neighborsJson(map)},
            {"start", startText(map)},
            {"seed", seedMatters(map) ? Json(map.options.seed) : Json()},
            {"iterations", map.iteration},
            {"seconds",
             {{"neighbors", seconds.neighbors},
              {"affinities", seconds.affinities},
              {"optimise", seconds.optimise},
              {"total", total}}},
            {"kl", map.kl},
            {"hash", map.hash}};
}

/// What the maps of several seeds have in common.
Json seedsJson(const SeedRuns& run, const TsneSource& source)
{
    const HeadMap& first = run.maps.front();
    const TsneOptions& options = first.options;
    Json json = {{"points", first.xy.rows()},
                 {"dims", source.points.vectors.cols()},
                 {"perplexity", perplexityJson(options.perplexities)},
                 {"affinities", affinitiesName(options.affinities)},
                 {"affinity_neighbors", neighborsJson(first)},
                 {"iterations", options.iterations},
                 {"init", initWord(options.start)},
                 {"jitter", options.startJitter},
                 {"agreement", agreementJson(run.agreement)}};
    if (source.input)
    {
        json["layer"] = source.layer.value();
        json["stage"] = stageJson(source.stage);
    }
    return json;
}

std::vector<std::pair<std::string, std::string>> seedsFacts(const SeedRuns& run, const TsneSource& source)
{
    const HeadMap& first = run.maps.front();
    const TsneOptions& options = first.options;
    std::vector<std::pair<std::string, std::string>> facts = {
        {"points", fmt::format("{} of {} numbers", withCommas(first.xy.rows()), source.points.vectors.cols())},
        {"affinities", affinitiesText(options, first.xy.rows())},
        {"starts", options.start == TsneStart::Random
                       ? "random, one for each seed"
                       : fmt::format("one for all, each with normal noise of {:g} % of its standard deviation",
                                     100 * options.startJitter)}};
    const auto agreement = agreementFacts(run.agreement);
    facts.insert(facts.end(), agreement.begin(), agreement.end());
    return facts;
}

/// What stands under the table of a set of maps.
/// @param kl  mean over the maps
std::string alignedText(const AlignedRun& run, const std::string& output, double total, double kl)
{
    const HeadMap& first = run.set.maps.front().map;
    return setNote(first.trust.has_value(), run.set.maps.size()) +
           (first.floor ? floorNote(*first.floor, run.documents) : std::string()) +
           factsText({{"documents", withCommas(run.documents)},
                      {"maps", std::to_string(run.set.maps.size())},
                      {"affinities", affinitiesText(first.options, run.documents)},
                      {"start", commonStartText(first.options)},
                      {"full", run.set.fullSource},
                      {"seconds", fmt::format("{:.2f} (maps {:.2f})", total, run.seconds)},
                      {"mean KL", fmt::format("{:.4f}", kl)},
                      {"hash", run.set.hash},
                      {"output", output.empty() ? "none (-o FILE keeps the maps)" : output}});
}

} // namespace

Answer tsneAnswer(const TsneRun& run, const TsneSource& source, const std::string& state, const std::string& output,
                  double total)
{
    const HeadMap& map = run.map;
    const TsneSeconds& seconds = run.seconds;
    const auto& perplexities = map.options.perplexities;
    Answer answer;
    Json& json = *answer.json;
    json = mapJson(run, source, total);
    json["output"] = output.empty() ? Json() : Json(output);
    std::vector<std::pair<std::string, std::string>> facts;
    if (source.input)
    {
        json["layer"] = source.layer.value();
        json["stage"] = stageJson(source.stage);
        facts.emplace_back("layer", std::to_string(source.layer.value()));
        facts.emplace_back("stage", fmt::format("{}, {}", stageName(source.stage), stageDescription(source.stage)));
        if (const auto norm = finalNormNote(source.input->model(), source.layer, source.stage); !norm.empty())
            facts.emplace_back("last layer", std::string(norm));
    }
    facts.emplace_back("points",
                       fmt::format("{} of {} numbers", withCommas(map.xy.rows()), source.points.vectors.cols()));
    facts.emplace_back("perplexity", fmt::format("{}", fmt::join(perplexities, ", ")));
    facts.emplace_back("affinities", affinitiesText(map.options, map.xy.rows()));
    facts.emplace_back("start", startText(map));
    facts.emplace_back("iterations", run.resumedFrom
                                         ? fmt::format("{} (gone on from {})", map.iteration, *run.resumedFrom)
                                         : std::to_string(map.iteration));
    facts.emplace_back("seconds", fmt::format("{:.2f} (neighbours {:.2f}, affinities {:.2f}, iterations {:.2f})", total,
                                              seconds.neighbors, seconds.affinities, seconds.optimise));
    facts.emplace_back("KL", fmt::format("{:.4f} (of these affinities, as the run estimates it)", map.kl));
    facts.emplace_back("hash", map.hash);
    if (!state.empty())
    {
        json["state"] = state;
        json["resumed_from"] = run.resumedFrom ? Json(*run.resumedFrom) : Json();
        facts.emplace_back("state", state);
    }
    facts.emplace_back("output", output.empty() ? "none (-o FILE keeps the map)" : output);
    if (map.trust)
    {
        const std::int64_t neighbors = affinityNeighbors(perplexities, map.xy.rows());
        json["quality"] = trustJson(*map.trust, neighbors);
        const double within = map.points != nullptr ? keptWithinClasses(map.points->head) : std::nan("");
        if (std::isfinite(within))
            json["quality"]["knn10_within_heads"] = within;
        const auto trust = trustFacts(*map.trust, map.xy.rows(), neighbors, within);
        facts.insert(facts.end(), trust.begin(), trust.end());
    }
    if (map.floor)
    {
        json["noise_floor"] = floorJson(*map.floor, map.xy.rows());
        const auto floor = floorFacts(*map.floor, map.xy.rows());
        facts.insert(facts.end(), floor.begin(), floor.end());
    }
    answer.text = factsText(facts);
    noteLeftOut(answer, map.leftOut, "vectors that hold");
    noteExaggerated(answer, map);
    return answer;
}

Answer drawnAnswer(const HeadMap& map, const std::string& place, const std::string& output)
{
    Answer answer;
    *answer.json = {{"map", place},
                    {"name", map.name},
                    {"layer", map.layer.value()},
                    {"stage", stageJson(map.stage)},
                    {"points", map.xy.rows()},
                    {"perplexity", perplexityJson(map.options.perplexities)},
                    {"affinities", affinitiesName(map.options.affinities)},
                    {"start", startText(map)},
                    {"seed", seedMatters(map) ? Json(map.options.seed) : Json()},
                    {"iterations", map.iteration},
                    {"kl", map.kl},
                    {"hash", map.hash},
                    {"output", output}};
    if (map.trust)
        (*answer.json)["quality"] = trustJson(*map.trust, affinityNeighbors(map.options.perplexities, map.xy.rows()));
    answer.text = factsText({{"map", place},
                             {"layer", std::to_string(map.layer.value())},
                             {"stage", fmt::format("{}, {}", stageName(map.stage), stageDescription(map.stage))},
                             {"points", withCommas(map.xy.rows())},
                             {"perplexity", fmt::format("{}", fmt::join(map.options.perplexities, ", "))},
                             {"affinities", affinitiesText(map.options, map.xy.rows())},
                             {"start", startText(map)},
                             {"iterations", std::to_string(map.iteration)},
                             {"hash", map.hash},
                             {"output", output}});
    return answer;
}

Answer alignedAnswer(const AlignedRun& run, const std::string& output, double total)
{
    Answer answer;
    Json maps = Json::array();
    const bool floors = run.set.maps.front().map.floor.has_value();
    std::vector<std::string> columns = {"map", "layer", "stage", "head", "KL", "r with mean", "10 nearest kept"};
    if (floors)
        columns.insert(columns.end(), {"with others", "r", "with twin", "r", "twin - others", "difference"});
    TextTable table(columns);
    double kl = 0;
    for (const MapOfSet& each : run.set.maps)
    {
        const HeadMap& map = each.map;
        Json one = {{"name", map.name},
                    {"layer", map.layer.value()},
                    {"stage", stageJson(map.stage)},
                    {"head", headJson(map)},
                    {"kl", map.kl},
                    {"correlation", each.correlation},
                    {"hash", map.hash}};
        if (map.trust)
            one["quality"] = trustJson(*map.trust, affinityNeighbors(map.options.perplexities, map.xy.rows()));
        std::vector<std::string> cells = {map.name,
                                          std::to_string(map.layer.value()),
                                          std::string(stageName(map.stage)),
                                          map.points->head.empty() ? "all"
                                                                   : std::to_string(map.points->head.front() + 1),
                                          fmt::format("{:.4f}", map.kl),
                                          fmt::format("{:.3f}", each.correlation),
                                          map.trust ? fmt::format("{:.4f}", map.trust->knn10) : "-"};
        if (floors)
            addFloor(each, run.documents, one, cells);
        maps.push_back(std::move(one));
        table.add(std::move(cells));
        kl += map.kl / static_cast<double>(run.set.maps.size());
    }
    const TsneOptions& options = run.set.maps.front().map.options;
    *answer.json = {{"points", run.documents},
                    {"perplexity", perplexityJson(options.perplexities)},
                    {"affinities", affinitiesName(options.affinities)},
                    {"affinity_neighbors", neighborsJson(run.set.maps.front().map)},
                    {"start", commonStartText(options)},
                    {"iterations", options.iterations},
                    {"seconds", {{"maps", run.seconds}, {"total", total}}},
                    {"kl", kl},
                    {"hash", run.set.hash},
                    {"full", run.set.fullSource},
                    {"maps", std::move(maps)},
                    {"output", output.empty() ? Json() : Json(output)}};
    answer.text = table.text() + '\n' + alignedText(run, output, total, kl);
    noteLeftOut(answer, run.leftOut, "documents of which a vector holds");
    noteExaggerated(answer, run.set.maps.front().map);
    return answer;
}

Answer seedsAnswer(const SeedRuns& run, const TsneSource& source, const std::string& output, double total)
{
    Answer answer;
    Json maps = Json::array();
    TextTable table({"map", "seed", "KL", "10 nearest kept", "kept of other maps", "correlation"});
    for (std::size_t m = 0; m < run.maps.size(); ++m)
    {
        const HeadMap& map = run.maps[m];
        const PairAgreement others = withOthers(run.agreement, run.maps.size(), m);
        Json one = {{"name", map.name}, {"seed", map.options.seed},      {"kl", map.kl},
                    {"hash", map.hash}, {"neighbors_kept", others.kept}, {"correlation", others.correlation}};
        if (map.trust)
            one["quality"] = trustJson(*map.trust, affinityNeighbors(map.options.perplexities, map.xy.rows()));
        maps.push_back(std::move(one));
        table.add({map.name, std::to_string(map.options.seed), fmt::format("{:.4f}", map.kl),
                   map.trust ? fmt::format("{:.4f}", map.trust->knn10) : "-", fmt::format("{:.3f}", others.kept),
                   fmt::format("{:.3f}", others.correlation)});
    }
    *answer.json = seedsJson(run, source);
    (*answer.json)["seconds"] = {{"maps", run.seconds}, {"total", total}};
    (*answer.json)["maps"] = std::move(maps);
    (*answer.json)["output"] = output.empty() ? Json() : Json(output);
    auto facts = seedsFacts(run, source);
    facts.emplace_back("seconds", fmt::format("{:.2f} (maps {:.2f})", total, run.seconds));
    facts.emplace_back("output", output.empty() ? "none (-o FILE keeps the maps)" : output);
    answer.text = table.text() + '\n' + factsText(facts);
    noteLeftOut(answer, run.maps.front().leftOut, "vectors that hold");
    return answer;
}

} // namespace headscope::cli
