// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/tsne_answer.h"

#include "app/results/text_table.h"
#include "app/results/trust_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

Json perplexityJson(const std::vector<double>& perplexities)
{
    return perplexities.size() == 1 ? Json(perplexities[0]) : Json(perplexities);
}

Json stageJson(Stage stage)
{
    const std::string_view name = stageName(stage);
    return name.size() == 1 ? Json(name[0] - '0') : Json(name);
}

/// Head as people count it; null for the full vector.
Json headJson(const HeadMap& map)
{
    return map.points->head.empty() ? Json() : Json(map.points->head.front() + 1);
}

void noteLeftOut(Answer& answer, std::int64_t leftOut, std::string_view what)
{
    if (leftOut > 0)
        answer.notices.push_back(fmt::format("{} {} NaN or infinity were left out", leftOut, what));
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
    json = {{"points", map.xy.rows()},
            {"dims", source.points.vectors.cols()},
            {"perplexity", perplexityJson(perplexities)},
            {"iterations", map.iteration},
            {"seconds",
             {{"neighbors", seconds.neighbors},
              {"affinities", seconds.affinities},
              {"optimise", seconds.optimise},
              {"total", total}}},
            {"kl", map.kl},
            {"hash", map.hash},
            {"output", output.empty() ? Json() : Json(output)}};
    std::vector<std::pair<std::string, std::string>> facts;
    if (source.input)
    {
        json["layer"] = source.layer.value();
        json["stage"] = stageJson(source.stage);
        facts.emplace_back("layer", std::to_string(source.layer.value()));
        facts.emplace_back("stage", fmt::format("{}, {}", stageName(source.stage), stageDescription(source.stage)));
    }
    facts.emplace_back("points",
                       fmt::format("{} of {} numbers", withCommas(map.xy.rows()), source.points.vectors.cols()));
    facts.emplace_back("perplexity", fmt::format("{}", fmt::join(perplexities, ", ")));
    facts.emplace_back("iterations", run.resumedFrom
                                         ? fmt::format("{} (gone on from {})", map.iteration, *run.resumedFrom)
                                         : std::to_string(map.iteration));
    facts.emplace_back("seconds", fmt::format("{:.2f} (neighbours {:.2f}, affinities {:.2f}, iterations {:.2f})", total,
                                              seconds.neighbors, seconds.affinities, seconds.optimise));
    facts.emplace_back("KL", fmt::format("{:.4f}", map.kl));
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
        json["quality"] = trustJson(*map.trust);
        const auto trust = trustFacts(*map.trust, map.xy.rows());
        facts.insert(facts.end(), trust.begin(), trust.end());
    }
    answer.text = factsText(facts);
    noteLeftOut(answer, map.leftOut, "vectors that hold");
    return answer;
}

Answer alignedAnswer(const AlignedRun& run, const std::string& output, double total)
{
    Answer answer;
    Json maps = Json::array();
    TextTable table({"map", "layer", "stage", "head", "KL", "correlation", "10 nearest kept"});
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
            one["quality"] = trustJson(*map.trust);
        maps.push_back(std::move(one));
        table.add({map.name, std::to_string(map.layer.value()), std::string(stageName(map.stage)),
                   map.points->head.empty() ? "all" : std::to_string(map.points->head.front() + 1),
                   fmt::format("{:.4f}", map.kl), fmt::format("{:.3f}", each.correlation),
                   map.trust ? fmt::format("{:.4f}", map.trust->knn10) : "-"});
        kl += map.kl / static_cast<double>(run.set.maps.size());
    }
    const TsneOptions& options = run.set.maps.front().map.options;
    *answer.json = {{"points", run.documents},
                    {"perplexity", perplexityJson(options.perplexities)},
                    {"iterations", options.iterations},
                    {"seconds", {{"maps", run.seconds}, {"total", total}}},
                    {"kl", kl},
                    {"hash", run.set.hash},
                    {"full", run.set.fullSource},
                    {"maps", std::move(maps)},
                    {"output", output.empty() ? Json() : Json(output)}};
    answer.text = table.text() + '\n' +
                  factsText({{"documents", withCommas(run.documents)},
                             {"maps", std::to_string(run.set.maps.size())},
                             {"full", run.set.fullSource},
                             {"seconds", fmt::format("{:.2f} (maps {:.2f})", total, run.seconds)},
                             {"mean KL", fmt::format("{:.4f}", kl)},
                             {"hash", run.set.hash},
                             {"output", output.empty() ? "none (-o FILE keeps the maps)" : output}});
    noteLeftOut(answer, run.leftOut, "documents of which a vector holds");
    return answer;
}

} // namespace headscope::cli
