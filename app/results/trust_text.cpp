// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/trust_text.h"

#include "model/analysis/maps/measure_map.h"
#include "model/data/frame/text_table.h"
#include "model/data/maps/chance_kept.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace headscope
{

Json perplexityJson(const std::vector<double>& perplexities)
{
    return perplexities.size() == 1 ? Json(perplexities[0]) : Json(perplexities);
}

Json trustJson(const MapTrust& trust, std::int64_t neighbors)
{
    Json json = {{"kl_exact", trust.klExact},      {"kl_exact_neighbors", neighbors},
                 {"knn10", trust.knn10},           {"trustworthiness", trust.trustworthiness},
                 {"continuity", trust.continuity}, {"spearman", trust.spearman},
                 {"sampled", trust.sampled}};
    if (std::isfinite(trust.trustworthinessWithin))
        json["trustworthiness_within_heads"] = trust.trustworthinessWithin;
    return json;
}

std::vector<std::pair<std::string, std::string>> trustFacts(const MapTrust& trust, std::int64_t points,
                                                            std::int64_t neighbors, std::optional<double> within,
                                                            std::string_view units)
{
    const std::string pairs =
        points <= kAllDistancesBelow ? std::string("all pairs") : withCommas(kSampledDistances) + " pairs";
    std::vector<std::pair<std::string, std::string>> facts = {
        {"KL, comparable",
         fmt::format("{:.6f} (in double; P of each point's {} nearest, however the map was made; with other maps of "
                     "the same vectors and perplexity alone)",
                     trust.klExact, neighbors)},
        {"10 nearest kept",
         fmt::format("{:.4f} (of a vector's 10 nearest, so many are among its 10 nearest on the map; by "
                     "chance {:.4f})",
                     trust.knn10, chanceKept(kTrustNeighbors, points))},
        {"trustworthiness", fmt::format("{:.4f} (10 nearest; 1: none on the map is a stranger, 0.5: a random map)",
                                        trust.trustworthiness)},
        {"continuity",
         fmt::format("{:.4f} (10 nearest; 1: none of the vectors' is torn away, 0.5: a random map)", trust.continuity)},
        {"Spearman", fmt::format("{:.4f} (rank correlation of distances, {})", trust.spearman, pairs)},
        {"looked at", fmt::format("{} of {} points", withCommas(trust.sampled), withCommas(points))},
    };
    if (std::isfinite(trust.trustworthinessWithin))
        facts.insert(facts.begin() + 3,
                     {"", fmt::format("a map that only knows the {} has {:.4f} (the same neighbours)", units,
                                      trust.trustworthinessWithin)});
    if (within)
        facts.insert(
            facts.begin() + 2,
            {"",
             fmt::format("a map that only knows the {} keeps up to {:.4f} on average (neighbours drawn at random among "
                         "points of the same one)",
                         units, *within)});
    return facts;
}

} // namespace headscope
