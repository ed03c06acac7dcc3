// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/maps/seeds_answer.h"

#include "app/cli/maps/map_facts.h"
#include "app/frames/frame_json.h"
#include "app/results/trust_text.h"
#include "model/base/text/fixed_text.h"
#include "model/data/frame/facts.h"
#include "model/data/frame/text_table.h"
#include "model/data/maps/map_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

std::string percent(double share)
{
    return fmt::format("{:.1f}%", 100 * share);
}

/// "on average (range over 3 pairs, which share maps: A to B)"; of one pair its own.
template <class Text>
std::string overPairs(const MapsAgreement& agreement, double PairAgreement::*value, const Text& text)
{
    const auto [least, most] = std::ranges::minmax(agreement.pairs, {}, value);
    if (agreement.pairs.size() < 2)
        return "for one pair of maps";
    return fmt::format("on average (range over {} pairs, which have maps in common: {} to {})", agreement.pairs.size(),
                       text(least.*value), text(most.*value));
}

/// The answer's lines about the agreement of maps, each word defined.
FactLines agreementLines(const MapsAgreement& agreement, std::string_view units)
{
    const auto three = [](double value) { return fixedText(value, 3); };
    const std::string within = agreement.keptWithin ? fmt::format(", maps that only separate the {} share {}", units,
                                                                  percent(*agreement.keptWithin))
                                                    : std::string();
    return {{"neighbours preserved",
             fmt::format("{} {}; chance: unrelated maps share {}{}. Proportion of a point's {} nearest points on one "
                         "map that are among its {} nearest points on another map",
                         percent(agreement.kept), overPairs(agreement, &PairAgreement::kept, percent),
                         percent(agreement.keptByChance), within, agreement.k, agreement.k)},
            {"correlation",
             fmt::format("{} {}; with documents permuted{}: {}. Correlation of two maps after Procrustes alignment "
                         "(rotated, mirrored and scaled)",
                         three(agreement.correlation), overPairs(agreement, &PairAgreement::correlation, three),
                         agreement.keptWithin ? fmt::format(" inside {}", units) : std::string(),
                         three(agreement.shuffledCorrelation))},
            {"interpretation", "all maps show the same vectors. Differences between maps depend on the initialization. "
                               "Common features may also come from the common initialization"}};
}

Members agreementMembers(const MapsAgreement& agreement)
{
    return {{"k", agreement.k},
            {"neighbors_kept", agreement.kept},
            {"chance", agreement.keptByChance},
            {"chance_within_heads", agreement.keptWithin ? Node(*agreement.keptWithin) : Node()},
            {"correlation", agreement.correlation},
            {"correlation_shuffled", agreement.shuffledCorrelation},
            {"pairs", listNode(agreement.pairs, [](const PairAgreement& pair) {
                 return Node(Members{{"maps", listNode(std::array{pair.first, pair.second})},
                                     {"neighbors_kept", pair.kept},
                                     {"correlation", pair.correlation}});
             })}};
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

/// What the maps of several seeds have in common.
Facts seedsFacts(const SeedRuns& run, const TsneSource& source)
{
    const HeadMap& first = run.maps.front();
    const TsneOptions& options = first.options;
    Facts facts;
    facts.add("points", first.xy.rows(),
              fmt::format("{} of {} numbers", withCommas(first.xy.rows()), source.points.vectors.cols()));
    facts.member("dims", source.points.vectors.cols());
    addChanged(facts, source.model);
    facts.add("perplexity", perplexityNode(options.perplexities),
              fmt::format("{}", fmt::join(options.perplexities, ", ")));
    facts.add("affinities", affinitiesName(options.affinities), affinitiesText(options, first.xy.rows()));
    facts.member("affinity_neighbors", neighborsNode(first));
    facts.member("iterations", options.iterations);
    facts.add("init", startName(options.start), "starts",
              options.start == TsneStart::Random
                  ? "random, one for each seed"
                  : fmt::format("the same for all maps, each with added normal noise ({:g}% of the standard deviation)",
                                100 * options.startJitter));
    facts.member("jitter", options.startJitter);
    facts.add("kl_note", kOwnDivergence, "KL", kOwnDivergence);
    facts.line("10 nearest preserved",
               first.trust ? fmt::format("proportion of a vector's 10 nearest vectors that are among its 10 nearest "
                                         "points on the map; chance: unrelated maps share {}",
                                         percent(run.agreement.keptByChance))
                           : std::string("not measured (--quality measures it)"));
    facts.member("agreement", agreementMembers(run.agreement));
    facts.append(agreementLines(run.agreement, unitNames(std::array{source.stage})));
    if (source.input)
        facts.append(Members{{"layer", source.layer.value()}, {"stage", stageNode(stageName(source.stage))}});
    return facts;
}

/// One of the maps beside the others.
Members mapMembers(const HeadMap& map, const PairAgreement& others)
{
    Members one = {{"name", map.name}, {"seed", map.options.seed},      {"kl", map.kl},
                   {"hash", map.hash}, {"neighbors_kept", others.kept}, {"correlation", others.correlation}};
    if (map.trust)
        one.emplace_back("quality",
                         trustMembers(*map.trust, affinityNeighbors(map.options.perplexities, map.xy.rows())));
    return one;
}

} // namespace

Answer seedsAnswer(const SeedRuns& run, const TsneSource& source, const std::string& output, double total)
{
    NodeList maps;
    TextTable table({"map", "seed", "KL", "10 nearest preserved", "shared with other maps", "correlation"});
    for (std::size_t m = 0; m < run.maps.size(); ++m)
    {
        const HeadMap& map = run.maps[m];
        const PairAgreement others = withOthers(run.agreement, run.maps.size(), m);
        maps.emplace_back(mapMembers(map, others));
        table.add({map.name, std::to_string(map.options.seed), fmt::format("{:.4f}", map.kl),
                   map.trust ? percent(map.trust->knn10) : "-", percent(others.kept),
                   fixedText(others.correlation, 3)});
    }
    Facts facts = seedsFacts(run, source);
    facts.add("seconds", Members{{"maps", run.seconds}, {"total", total}},
              fmt::format("{:.2f} (maps {:.2f})", total, run.seconds));
    facts.member("maps", std::move(maps));
    facts.add("output", textOrNull(output), output.empty() ? "none (-o FILE saves the maps)" : output);
    Answer answer;
    addMembers(*answer.json, facts.members());
    answer.text = table.text() + '\n' + facts.text();
    noteLeftOut(answer, run.maps.front().leftOut, "vectors that contain");
    noteEqual(answer, run.maps.front());
    return answer;
}

} // namespace headscope::cli
