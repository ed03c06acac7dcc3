// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/trust_text.h"

#include "app/results/text_table.h"
#include "model/analysis/maps/measure_map.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headscope::results
{

Json trustJson(const MapTrust& trust)
{
    return {{"kl_exact", trust.klExact},      {"knn10", trust.knn10},       {"trustworthiness", trust.trustworthiness},
            {"continuity", trust.continuity}, {"spearman", trust.spearman}, {"sampled", trust.sampled}};
}

std::vector<std::pair<std::string, std::string>> trustFacts(const MapTrust& trust, std::int64_t points)
{
    const std::string pairs =
        points <= kAllDistancesBelow ? std::string("all pairs") : withCommas(kSampledDistances) + " pairs";
    return {
        {"KL, exact", fmt::format("{:.6f}", trust.klExact)},
        {"10 nearest kept", fmt::format("{:.4f}", trust.knn10)},
        {"trustworthiness", fmt::format("{:.4f} (10 nearest)", trust.trustworthiness)},
        {"continuity", fmt::format("{:.4f} (10 nearest)", trust.continuity)},
        {"Spearman", fmt::format("{:.4f} (distances of {})", trust.spearman, pairs)},
        {"looked at", fmt::format("{} of {} points", withCommas(trust.sampled), withCommas(points))},
    };
}

} // namespace headscope::results
