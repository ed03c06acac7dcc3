// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topic_purity.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/analysis/statistics/permutations.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

/// Documents with a label and a direction.
std::vector<std::int64_t> documentsThatCount(const HeadVectors& vectors, std::span<const std::int32_t> labels)
{
    std::vector<std::int64_t> documents;
    for (std::int64_t document = 0; document < vectors.documents(); ++document)
    {
        const auto all = vectors.full(DocumentIndex(document));
        if (labels[static_cast<std::size_t>(document)] >= 0 && hasDirection(all))
            documents.push_back(document);
    }
    return documents;
}

/// Mean over the documents of the share of all others that have the same label.
double chanceOf(const std::vector<std::int32_t>& codes)
{
    std::map<std::int32_t, double> counts;
    for (const std::int32_t code : codes)
        counts[code] += 1;
    const auto all = static_cast<double>(codes.size());
    double pairs = 0;
    for (const auto& [code, count] : counts)
        pairs += count * (count - 1);
    return pairs / (all * (all - 1));
}

/// Neighbours that have the label of their document, of each document.
std::vector<std::int64_t> sameLabel(const Matrix<std::int32_t>& neighbors, std::span<const std::int32_t> codes)
{
    std::vector<std::int64_t> same(codes.size());
    for (std::int64_t i = 0; i < neighbors.rows(); ++i)
    {
        const std::int32_t own = codes[static_cast<std::size_t>(i)];
        for (const std::int32_t neighbor : neighbors.row(i))
            same[static_cast<std::size_t>(i)] += codes[static_cast<std::size_t>(neighbor)] == own ? 1 : 0;
    }
    return same;
}

/// The purity without each document: those that had it among their neighbours have their next one instead.
/// @param found  of each document one neighbour more than count
std::vector<double> withoutEach(const Neighbors& found, std::span<const std::int32_t> codes)
{
    const std::int64_t documents = found.indices.rows();
    const auto k = static_cast<std::size_t>(found.k() - 1);
    std::vector<double> change(codes.size()); // of the number of neighbours with the same label
    double all = 0;
    for (std::int64_t i = 0; i < documents; ++i)
    {
        const auto row = found.indices.row(i);
        const auto isSame = [&](std::int32_t neighbor) {
            return codes[static_cast<std::size_t>(neighbor)] == codes[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
        };
        double own = 0;
        for (std::size_t n = 0; n < k; ++n)
        {
            own += isSame(row[n]);
            change[static_cast<std::size_t>(row[n])] += isSame(row[k]) - isSame(row[n]);
        }
        change[static_cast<std::size_t>(i)] -= own;
        all += own;
    }
    std::vector<double> without;
    without.reserve(change.size());
    for (const double each : change)
        without.push_back((all + each) / static_cast<double>((documents - 1) * static_cast<std::int64_t>(k)));
    return without;
}

/// Interval and null of a purity whose neighbours are found.
/// @param wider  the same neighbours and one more
Status testPurity(const Neighbors& found, const Neighbors& wider, std::span<const std::int32_t> codes,
                  const PurityOptions& options, int numThreads, JobContext& job, TopicPurity& purity)
{
    const auto same = sameLabel(found.indices, codes);
    const auto shareOf = [all = static_cast<double>(found.indices.rows() * found.k())](std::int64_t count) {
        return static_cast<double>(count) / all;
    };
    purity.share = shareOf(std::accumulate(same.begin(), same.end(), std::int64_t{0}));
    purity.ci95 = withWidthAtEnds(jackknifeInterval(purity.share, withoutEach(wider, codes)), std::ssize(codes));
    const Draws draws(options.seed);
    std::vector<double> permuted(static_cast<std::size_t>(std::max<std::int64_t>(0, options.permutations)));
    parallelFor(numThreads, std::ssize(permuted), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end && !job.stopRequested(); ++b)
        {
            const auto other = sameLabel(found.indices, permutedLabels(codes, draws, b));
            permuted[static_cast<std::size_t>(b)] =
                shareOf(std::accumulate(other.begin(), other.end(), std::int64_t{0}));
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    purity.null = permutationNull(purity.share, std::move(permuted));
    return {};
}

} // namespace

Result<TopicPurity> topicPurity(const HeadVectors& vectors, std::span<const std::int32_t> labels,
                                const PurityOptions& asked, int numThreads, JobContext& job)
{
    if (std::ssize(labels) != vectors.documents())
        return Error{
            ErrorCode::ShapeMismatch,
            fmt::format("expected a label for each of {} documents, found {}", vectors.documents(), labels.size()),
            {},
            {}};
    if (asked.neighbors < 1)
        return Error{
            ErrorCode::WrongUse, fmt::format("expected at least 1 neighbour, found {}", asked.neighbors), {}, {}};
    const auto documents = documentsThatCount(vectors, labels);
    if (documents.size() < 2)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least 2 labelled documents with vectors, found {}", documents.size()),
                     {},
                     {}};
    MatrixF rows(std::ssize(documents), vectors.heads() * vectors.dims());
    std::vector<std::int32_t> codes;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const std::int64_t document = documents[static_cast<std::size_t>(i)];
        std::ranges::copy(vectors.full(DocumentIndex(document)), rows.row(i).begin());
        codes.push_back(labels[static_cast<std::size_t>(document)]);
    }
    TopicPurity purity;
    purity.documents = rows.rows();
    purity.chance = chanceOf(codes);
    if (purity.chance == 0)
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected labels that documents share, found one document for each of {} labels", codes.size()),
            {},
            {}};
    NeighborOptions options;
    purity.neighbors = std::min<std::int64_t>(asked.neighbors, rows.rows() - 1);
    if (purity.neighbors == rows.rows() - 1 || purity.chance == 1)
    {
        purity.share = purity.chance; // all others are neighbours, or all labels one: nothing else can come out
        HEADSCOPE_CHECK(job.checkStop());
        return purity;
    }
    options.k = purity.neighbors + 1;
    options.metric = Metric::Cosine;
    HEADSCOPE_TRY(const Neighbors wider, findNeighbors(rows.view(), options, numThreads, job));
    Neighbors found;
    found.indices = Matrix<std::int32_t>(wider.indices.rows(), purity.neighbors);
    for (std::int64_t i = 0; i < found.indices.rows(); ++i)
        std::ranges::copy(wider.indices.row(i).first(static_cast<std::size_t>(purity.neighbors)),
                          found.indices.row(i).begin());
    HEADSCOPE_CHECK(testPurity(found, wider, codes, asked, numThreads, job, purity));
    return purity;
}

} // namespace headscope
