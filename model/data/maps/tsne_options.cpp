// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/tsne_options.h"

#include <algorithm>

namespace headscope
{

std::string_view metricName(Metric metric)
{
    return metric == Metric::Cosine ? "cosine" : "euclidean";
}

std::string_view affinitiesName(TsneAffinities affinities)
{
    return affinities == TsneAffinities::Dense ? "dense" : "sparse";
}

std::int64_t affinityNeighbors(std::span<const double> perplexities, std::int64_t points)
{
    double largest = 0;
    for (const double perplexity : perplexities)
        largest = std::max(largest, perplexity);
    const auto others = std::max<std::int64_t>(0, points - 1);
    return 3 * largest >= static_cast<double>(others) ? others : static_cast<std::int64_t>(3 * largest);
}

bool seedMatters(const TsneOptions& options, std::int64_t points)
{
    if (options.start == TsneStart::Random || options.startJitter > 0)
        return true;
    return options.affinities == TsneAffinities::Sparse && points > options.exactNeighborsBelow;
}

} // namespace headscope
