// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/trust_text.h"

#include "model/analysis/maps/measure_map.h"
#include "model/base/text/fixed_text.h"
#include "model/data/frame/place_columns.h"
#include "model/data/frame/text_table.h"
#include "model/data/maps/chance_kept.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope
{

namespace
{

using S = Shown;
using enum Facet;

// clang-format off
constexpr ColumnInfo kTrustColumns[] = {
    kStageColumn,
    {"points", "Points", "", "Number of points of the map", "", S::Count},
    {"kl_exact", "KL, comparable", "",
     "Kullback-Leibler divergence of the map from the affinities of each point's nearest neighbours, in double "
     "precision, regardless of how the map was "
     "made", "Comparable only with other maps of the same vectors and perplexity"},
    {"kl_exact_neighbors", "Neighbours for divergence", "",
     "Number of nearest neighbours of each point that the affinities of the divergence cover", "", S::Count},
    {"knn10", "10 nearest preserved", "",
     "Proportion of a vector's 10 nearest vectors that are among its 10 nearest points on the map, mean over the "
     "points examined",
     "A little noise alone may change half of these neighbours: compare with the noise floor", S::Share},
    {"knn10_within_heads", "Preserved by heads alone", "",
     "Maximum for a map that only separates the heads or segments, with random neighbours within each of them", "",
     S::Share},
    {"noise_floor", "Noise floor", "",
     "Proportion of the 10 nearest points on this map that its noise replicates (maps of the same vectors plus a "
     "little noise) preserve", "", S::Share},
    {"trustworthiness", "Trustworthiness", "",
     "Trustworthiness of the 10 nearest points on the map: 1 where no point is a false neighbour, about 0.5 for a "
     "random map"},
    {"trustworthiness_within_heads", "Trustworthiness of heads alone", "",
     "Trustworthiness of a map that only separates the heads or segments, with random neighbours within each of them"},
    {"continuity", "Continuity", "",
     "Continuity of the 10 nearest vectors: 1 where all of them are also nearest on the map, "
     "about 0.5 for a random map"},
    {"spearman", "Spearman", "", "Rank correlation of distances between vectors with distances between their points on "
                                 "the map, -1 to 1"},
    {"sampled", "Points examined", "", "Number of points whose neighbours were examined", "", S::Count},
};
// clang-format on

} // namespace

constinit const FrameInfo kTrustFrame = {.key = "quality", .columns = kTrustColumns};

Node perplexityNode(const std::vector<double>& perplexities)
{
    return perplexities.size() == 1 ? Node(perplexities[0]) : listNode(perplexities);
}

Members trustMembers(const MapTrust& trust, std::int64_t neighbors, std::optional<double> within)
{
    Members members = {{"kl_exact", trust.klExact},      {"kl_exact_neighbors", neighbors},
                       {"knn10", trust.knn10},           {"trustworthiness", trust.trustworthiness},
                       {"continuity", trust.continuity}, {"spearman", trust.spearman},
                       {"sampled", trust.sampled}};
    if (std::isfinite(trust.trustworthinessWithin))
        members.emplace_back("trustworthiness_within_heads", trust.trustworthinessWithin);
    if (within)
        members.emplace_back("knn10_within_heads", *within);
    return members;
}

FactLines trustLines(const MapTrust& trust, std::int64_t points, std::int64_t neighbors, std::optional<double> within,
                     std::string_view units)
{
    const std::string pairs =
        points <= kAllDistancesBelow ? std::string("all pairs") : withCommas(kSampledDistances) + " pairs";
    FactLines facts = {
        {"KL, comparable", fmt::format("{:.6f} (in double precision, with affinities of each point's {} nearest "
                                       "vectors, regardless of how the map was made; comparable only with maps of the "
                                       "same vectors and perplexity)",
                                       trust.klExact, neighbors)},
        {"10 nearest preserved", fmt::format("{:.4f} (proportion of a vector's 10 nearest vectors that are among its "
                                             "10 nearest points on the map; chance {:.4f})",
                                             trust.knn10, chanceKept(kTrustNeighbors, points))},
        {"trustworthiness",
         fmt::format("{:.4f} (10 nearest; 1: no false neighbours, 0.5: a random map)", trust.trustworthiness)},
        {"continuity",
         fmt::format("{:.4f} (10 nearest; 1: no missing neighbours, 0.5: a random map)", trust.continuity)},
        {"Spearman", fmt::format("{} (rank correlation of distances, {})", fixedText(trust.spearman, 4), pairs)},
        {"examined", fmt::format("{} of {} points", withCommas(trust.sampled), withCommas(points))},
    };
    if (std::isfinite(trust.trustworthinessWithin))
        facts.insert(
            facts.begin() + 3,
            {"", fmt::format("a map that only separates the {}, with random neighbours within each of them, has {:.4f}",
                             units, trust.trustworthinessWithin)});
    if (within)
        facts.insert(facts.begin() + 2, {"", fmt::format("a map that only separates the {}, with random neighbours "
                                                         "within each of them, preserves up to {:.4f} on average",
                                                         units, *within)});
    return facts;
}

} // namespace headscope
