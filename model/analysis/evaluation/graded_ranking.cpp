// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/evaluation/graded_ranking.h"

#include "model/base/numbers/all_finite.h"
#include "model/base/parallel.h"
#include "model/kernels/gemm.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

/// Queries of a block: their products with all documents are held at once.
constexpr std::int64_t kQueries = 32;

double discount(std::int64_t rank)
{
    return 1 / std::log2(static_cast<double>(rank) + 1);
}

double dot(std::span<const float> a, std::span<const float> b)
{
    double sum = 0;
    for (std::size_t d = 0; d < a.size(); ++d)
        sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
    return sum;
}

/// The rows at length 1 in float32, and the lengths in double; 0 of rows without a direction, which are zeros here.
struct UnitRows
{
    MatrixF rows;
    std::vector<double> lengths;
    std::vector<std::int32_t> placed; ///< rows with a direction, ascending

    explicit UnitRows(ConstMatrixView from) : rows(from.rows(), from.cols())
    {
        for (std::int64_t i = 0; i < from.rows(); ++i)
        {
            const auto row = from.row(i);
            lengths.push_back(allFinite(row) ? std::sqrt(dot(row, row)) : 0.0);
            if (!(lengths.back() > 0))
                continue;
            placed.push_back(static_cast<std::int32_t>(i));
            std::ranges::transform(row, rows.row(i).begin(), [length = lengths.back()](float value) {
                return static_cast<float>(static_cast<double>(value) / length);
            });
        }
    }
};

/// Of the documents that can be found, those whose product is at most `slack` below the k-th largest.
/// @param placed  documents with a direction
/// @param own     the query's own document, which it does not find; -1: none
std::vector<std::int32_t> candidates(std::span<const float> products, std::span<const std::int32_t> placed,
                                     std::int64_t own, std::int64_t k, float slack)
{
    std::vector<std::int32_t> found;
    std::vector<float> values;
    for (const std::int32_t document : placed)
        if (document != own)
        {
            found.push_back(document);
            values.push_back(products[static_cast<std::size_t>(document)]);
        }
    if (std::ssize(values) <= k)
        return found;
    const auto place = values.begin() + k - 1;
    std::nth_element(values.begin(), place, values.end(), std::greater());
    const float least = *place - slack;
    std::erase_if(found, [&](std::int32_t document) { return products[static_cast<std::size_t>(document)] < least; });
    return found;
}

/// The sum of the gains of the best order of all judged documents.
double bestGain(std::span<const Judgement> judged, std::int64_t k)
{
    std::vector<std::int32_t> grades;
    for (const Judgement& each : judged)
        if (each.grade > 0)
            grades.push_back(each.grade);
    std::ranges::sort(grades, std::greater());
    double best = 0;
    for (std::int64_t rank = 1; rank <= std::min(k, std::ssize(grades)); ++rank)
        best += static_cast<double>(grades[static_cast<std::size_t>(rank - 1)]) * discount(rank);
    return best;
}

std::int64_t numRelevant(std::span<const Judgement> judged)
{
    return std::ranges::count_if(judged, [](const Judgement& each) { return each.grade > 0; });
}

} // namespace

RankingScores scoreRanking(std::span<const std::int32_t> ranked, std::span<const Judgement> judged, std::int64_t k)
{
    RankingScores scores;
    std::int64_t hits = 0;
    double precisions = 0;
    for (std::int64_t rank = 1; rank <= std::min(k, std::ssize(ranked)); ++rank)
    {
        const auto found =
            std::ranges::find(judged, std::int64_t{ranked[static_cast<std::size_t>(rank - 1)]}, &Judgement::document);
        if (found == judged.end() || found->grade <= 0)
            continue;
        scores.ndcg += static_cast<double>(found->grade) * discount(rank);
        if (hits == 0)
            scores.mrr = 1 / static_cast<double>(rank);
        ++hits;
        precisions += static_cast<double>(hits) / static_cast<double>(rank);
    }
    const auto relevant = static_cast<double>(numRelevant(judged));
    scores.ndcg /= bestGain(judged, k);
    scores.recall = static_cast<double>(hits) / relevant;
    scores.map = precisions / relevant;
    return scores;
}

RankingScores scoreByChance(std::span<const Judgement> judged, const std::vector<bool>& findable,
                            std::int64_t candidates, std::int64_t k)
{
    const auto count = static_cast<double>(candidates);
    double found = 0; // relevant documents that can be found
    double gain = 0;  // the sum of their grades
    for (std::size_t i = 0; i < judged.size(); ++i)
        if (judged[i].grade > 0 && findable[i])
        {
            found += 1;
            gain += static_cast<double>(judged[i].grade);
        }
    RankingScores scores;
    double noneBefore = 1; // probability that no result so far is relevant
    for (std::int64_t rank = 1; rank <= std::min(k, candidates); ++rank)
    {
        const auto before = static_cast<double>(rank - 1);
        const double here = noneBefore * std::min(1.0, found / (count - before));
        scores.ndcg += gain / count * discount(rank);
        scores.recall += found / count;
        scores.mrr += here / static_cast<double>(rank);
        noneBefore -= here;
        const double pairs = candidates > 1 ? found * (found - 1) / (count * (count - 1)) : 0.0;
        scores.map += (found / count + before * pairs) / static_cast<double>(rank);
    }
    const auto relevant = static_cast<double>(numRelevant(judged));
    scores.ndcg /= bestGain(judged, k);
    scores.recall /= relevant;
    scores.map /= relevant;
    return scores;
}

Result<Matrix<std::int32_t>> rankByCosine(ConstMatrixView documents, ConstMatrixView queries,
                                          std::span<const std::int64_t> own, std::int64_t k, int numThreads,
                                          JobContext& job)
{
    const UnitRows units(documents);
    const UnitRows asking(queries);
    const std::int64_t count = documents.rows();
    const std::int64_t top = std::min(k, count);
    // Products of unit vectors of D float32 values are off by less than this, each.
    const auto slack = static_cast<float>(documents.cols() + 8) * 2 * std::numeric_limits<float>::epsilon();
    Matrix<std::int32_t> ranking(queries.rows(), top);
    std::ranges::fill(ranking.values(), -1);
    parallelFor(numThreads, queries.rows(), kQueries, [&](std::int64_t begin, std::int64_t end) {
        if (job.stopRequested() || top == 0)
            return;
        MatrixF products(end - begin, count);
        gemmNT(end - begin, count, documents.cols(), 1, asking.rows.row(begin).data(), documents.cols(),
               units.rows.data(), documents.cols(), 0, products.data(), count);
        std::vector<std::pair<double, std::int32_t>> order;
        for (std::int64_t query = begin; query < end; ++query)
        {
            const double length = asking.lengths[static_cast<std::size_t>(query)];
            if (!(length > 0))
                continue;
            const std::int64_t mine = own.empty() ? -1 : own[static_cast<std::size_t>(query)];
            order.clear();
            for (const std::int32_t document : candidates(products.row(query - begin), units.placed, mine, top, slack))
                order.emplace_back(dot(documents.row(document), queries.row(query)) /
                                       (units.lengths[static_cast<std::size_t>(document)] * length),
                                   document);
            const auto last = order.begin() + std::min<std::int64_t>(top, std::ssize(order));
            std::partial_sort(order.begin(), last, order.end(), [](const auto& a, const auto& b) {
                return a.first != b.first ? a.first > b.first : a.second < b.second;
            });
            std::transform(order.begin(), last, ranking.row(query).begin(),
                           [](const auto& each) { return each.second; });
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return ranking;
}

} // namespace headscope
