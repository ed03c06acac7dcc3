// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/lesson/regroup_measures.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace headscope
{
namespace
{

double cosine(std::span<const float> a, std::span<const float> b)
{
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const double x = a[i];
        const double y = b[i];
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

/// How many of the k nearest two lists share, as if one document were not there.
std::int64_t common(std::span<const std::int32_t> a, std::span<const std::int32_t> b, std::int64_t k,
                    std::int64_t without)
{
    const auto nearest = [&](std::span<const std::int32_t> list) {
        std::vector<std::int32_t> kept;
        for (const std::int32_t each : list)
            if (each != without && static_cast<std::int64_t>(kept.size()) < k)
                kept.push_back(each);
        std::ranges::sort(kept);
        return kept;
    };
    const std::vector<std::int32_t> first = nearest(a);
    const std::vector<std::int32_t> second = nearest(b);
    std::vector<std::int32_t> both;
    std::ranges::set_intersection(first, second, std::back_inserter(both));
    return static_cast<std::int64_t>(both.size());
}

/// Mean share kept over all documents but one; -1: over all.
double keptWithout(const Neighbors& before, const Neighbors& after, std::int64_t k, std::int64_t without)
{
    std::int64_t kept = 0;
    std::int64_t counted = 0;
    for (std::int64_t document = 0; document < before.points(); ++document)
    {
        if (document == without)
            continue;
        kept += common(before.indices.row(document), after.indices.row(document), k, without);
        counted += k;
    }
    return static_cast<double>(kept) / static_cast<double>(counted);
}

} // namespace

Result<RegroupRow> compareVectors(const MatrixF& before, const MatrixF& after, std::int64_t neighbors, int numThreads,
                                  JobContext& job)
{
    const std::int64_t documents = before.rows();
    if (documents < 2 || documents != after.rows() || before.cols() != after.cols())
        return Error{ErrorCode::InvalidArgument, "expected vectors of the same documents, at least two", {}, {}};
    RegroupRow row;
    std::vector<double> cosines;
    for (std::int64_t document = 0; document < documents; ++document)
        cosines.push_back(cosine(before.row(document), after.row(document)));
    row.cosine = std::accumulate(cosines.begin(), cosines.end(), 0.0) / static_cast<double>(documents);
    row.cosineCi95 = bootstrapInterval(documents,
                                       [&cosines](std::span<const std::int64_t> drawn) {
                                           double sum = 0;
                                           for (const std::int64_t each : drawn)
                                               sum += cosines[static_cast<std::size_t>(each)];
                                           return sum / static_cast<double>(drawn.size());
                                       },
                                       {})
                         .ci95;
    const std::int64_t k = std::min(neighbors, documents - 2); // one is left out at a time
    if (k < 1)
        return row;
    NeighborOptions options;
    options.k = k + 1;
    options.metric = Metric::Cosine;
    HEADSCOPE_TRY(const Neighbors first, findNeighbors(before.view(), options, numThreads, job));
    HEADSCOPE_TRY(const Neighbors second, findNeighbors(after.view(), options, numThreads, job));
    row.kept = keptWithout(first, second, k, -1);
    std::vector<double> leftOut;
    for (std::int64_t without = 0; without < documents; ++without)
        leftOut.push_back(keptWithout(first, second, k, without));
    row.keptCi95 = withWidthAtEnds(jackknifeInterval(row.kept, leftOut), documents);
    return row;
}

} // namespace headscope
