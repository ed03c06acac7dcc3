// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/maps/tsne_answer.h"

#include "app/cli/maps/map_facts.h"
#include "app/frames/frame_json.h"
#include "app/results/floor_text.h"
#include "app/results/trust_text.h"
#include "model/data/frame/facts.h"
#include "model/data/frame/text_table.h"
#include "model/data/last_layer.h"
#include "model/data/maps/map_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

/// How a map was made, from its points to its seed.
void addMaking(Facts& facts, const HeadMap& map)
{
    const std::vector<double>& perplexities = map.options.perplexities;
    facts.add("perplexity", perplexityNode(perplexities), fmt::format("{}", fmt::join(perplexities, ", ")));
    facts.add("affinities", affinitiesName(map.options.affinities), affinitiesText(map.options, map.xy.rows()));
}

void addStart(Facts& facts, const HeadMap& map)
{
    facts.add("start", startText(map));
    facts.member("seed", seedMatters(map) ? Node(map.options.seed) : Node());
}

void addPlace(Facts& facts, LayerIndex layer, Stage stage)
{
    facts.line("layer", std::to_string(layer.value()));
    facts.line("stage", fmt::format("{}, {}", stageName(stage), stageDescription(stage)));
}

} // namespace

Answer tsneAnswer(const TsneRun& run, const TsneSource& source, const std::string& state, const std::string& output,
                  double total)
{
    const HeadMap& map = run.map;
    const TsneSeconds& seconds = run.seconds;
    const std::int64_t points = map.xy.rows();
    Facts facts;
    if (source.input)
    {
        addPlace(facts, source.layer, source.stage);
        if (const auto norm = finalNormNote(source.input->model(), source.layer, source.stage); !norm.empty())
            facts.line("last layer", std::string(norm));
    }
    facts.add("points", points, fmt::format("{} of {} numbers", withCommas(points), source.points.vectors.cols()));
    facts.member("dims", source.points.vectors.cols());
    addChanged(facts, source.model);
    addMaking(facts, map);
    facts.member("affinity_neighbors", neighborsNode(map));
    addStart(facts, map);
    facts.add("iterations", map.iteration,
              run.resumedFrom ? fmt::format("{} (continued from {})", map.iteration, *run.resumedFrom)
                              : std::to_string(map.iteration));
    facts.add("seconds",
              Members{{"neighbors", seconds.neighbors},
                      {"affinities", seconds.affinities},
                      {"optimise", seconds.optimise},
                      {"total", total}},
              fmt::format("{:.2f} (neighbours {:.2f}, affinities {:.2f}, iterations {:.2f})", total, seconds.neighbors,
                          seconds.affinities, seconds.optimise));
    facts.add("kl", map.kl, "KL", fmt::format("{:.4f} (for these affinities, as estimated by the run)", map.kl));
    facts.add("hash", map.hash);
    facts.member("equal_points", map.equalPoints);
    facts.member("output", textOrNull(output));
    if (source.input)
        facts.append(Members{{"layer", source.layer.value()}, {"stage", stageNode(stageName(source.stage))}});
    if (!state.empty())
    {
        facts.add("state", state);
        facts.member("resumed_from", run.resumedFrom ? Node(*run.resumedFrom) : Node());
    }
    facts.line("output", output.empty() ? "none (-o FILE saves the map)" : output);
    if (map.trust)
    {
        const std::int64_t neighbors = affinityNeighbors(map.options.perplexities, points);
        const auto within = keptWithinClasses(kTrustNeighbors, classesOf(map));
        facts.member("quality", trustMembers(*map.trust, neighbors, within));
        facts.append(trustLines(*map.trust, points, neighbors, within, unitsOf(map)));
    }
    if (map.floor)
    {
        facts.member("noise_floor", floorMembers(*map.floor, points));
        facts.append(floorLines(*map.floor, points, unitsOf(map)));
    }
    Answer answer;
    addMembers(*answer.json, facts.members());
    answer.text = facts.text();
    noteLeftOut(answer, map.leftOut, "vectors that contain");
    noteEqual(answer, map);
    noteExaggerated(answer, map);
    return answer;
}

Answer drawnAnswer(const HeadMap& map, const ModelInfo& model, const std::string& place, const std::string& output)
{
    Facts facts;
    facts.add("map", place);
    facts.append(Members{{"name", map.name}, {"layer", map.layer.value()}, {"stage", stageNode(stageName(map.stage))}});
    addPlace(facts, map.layer, map.stage);
    facts.add("points", map.xy.rows());
    addChanged(facts, model);
    addMaking(facts, map);
    addStart(facts, map);
    facts.add("iterations", map.iteration, std::to_string(map.iteration));
    facts.member("kl", map.kl);
    facts.add("hash", map.hash);
    facts.member("application", textOrNull(map.application));
    facts.add("output", output);
    if (map.trust)
        facts.member("quality", trustMembers(*map.trust, affinityNeighbors(map.options.perplexities, map.xy.rows())));
    if (std::string version = otherVersionText(map); !version.empty())
        facts.line("made by", std::move(version));
    Answer answer;
    addMembers(*answer.json, facts.members());
    answer.text = facts.text();
    return answer;
}

} // namespace headscope::cli
