// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/maps/tsne_answer.h"

#include "app/cli/maps/map_facts.h"
#include "app/results/floor_text.h"
#include "app/results/trust_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/last_layer.h"
#include "model/data/maps/map_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

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
        const auto within = keptWithinClasses(kTrustNeighbors, classesOf(map));
        json["quality"] = trustJson(*map.trust, neighbors, within);
        const auto trust = trustFacts(*map.trust, map.xy.rows(), neighbors, within, unitsOf(map));
        facts.insert(facts.end(), trust.begin(), trust.end());
    }
    if (map.floor)
    {
        json["noise_floor"] = floorJson(*map.floor, map.xy.rows());
        const auto floor = floorFacts(*map.floor, map.xy.rows(), unitsOf(map));
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
                    {"application", map.application.empty() ? Json() : Json(map.application)},
                    {"output", output}};
    if (map.trust)
        (*answer.json)["quality"] = trustJson(*map.trust, affinityNeighbors(map.options.perplexities, map.xy.rows()));
    std::vector<std::pair<std::string, std::string>> facts = {
        {"map", place},
        {"layer", std::to_string(map.layer.value())},
        {"stage", fmt::format("{}, {}", stageName(map.stage), stageDescription(map.stage))},
        {"points", withCommas(map.xy.rows())},
        {"perplexity", fmt::format("{}", fmt::join(map.options.perplexities, ", "))},
        {"affinities", affinitiesText(map.options, map.xy.rows())},
        {"start", startText(map)},
        {"iterations", std::to_string(map.iteration)},
        {"hash", map.hash},
        {"output", output}};
    if (const std::string version = otherVersionText(map); !version.empty())
        facts.emplace_back("made by", version);
    answer.text = factsText(facts);
    return answer;
}

} // namespace headscope::cli
