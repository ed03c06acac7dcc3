// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/circuits/composition_results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

namespace headscope
{
namespace
{

/// Sum of the squares of s^2 / sum s^2: 1 of a matrix of rank 1, 1 / rank of one whose singular values are equal.
double concentration(std::span<const double> singular)
{
    double squares = 0;
    double fourths = 0;
    for (const double value : singular)
    {
        squares += value * value;
        fourths += value * value * value * value;
    }
    return fourths / (squares * squares);
}

} // namespace

double randomScoreSpread(const CompositionScores& scores, CompositionKind kind, std::int64_t from, std::int64_t to)
{
    const std::vector<double>& later = kind == CompositionKind::V ? scores.ovSingular : scores.qkSingular;
    const auto size = static_cast<std::size_t>(scores.layers * scores.heads * scores.headDim);
    if (later.size() != size || scores.ovSingular.size() != size || size == 0)
        return std::numeric_limits<double>::quiet_NaN();
    const auto of = [&scores](const std::vector<double>& all, std::int64_t head) {
        const std::span spectrum = std::span(all).subspan(static_cast<std::size_t>(head * scores.headDim),
                                                          static_cast<std::size_t>(scores.headDim));
        return concentration(spectrum) - scores.baseline * scores.baseline;
    };
    const double dims = 1 / (scores.baseline * scores.baseline);
    const double ofSquare =
        2 * std::max(0.0, of(scores.ovSingular, from)) * std::max(0.0, of(later, to)) / ((dims - 1) * (dims + 2));
    return std::sqrt(ofSquare) / (2 * scores.baseline);
}

CompositionKind strongestKind(const CompositionScores& scores)
{
    CompositionKind strongest = CompositionKind::V;
    double highest = -1;
    for (const CompositionKind kind : kCompositionKinds)
        if (const auto& own = scores.of(kind); !own.empty())
            if (const double most = *std::ranges::max_element(own); most > highest)
            {
                highest = most;
                strongest = kind;
            }
    return strongest;
}

std::vector<CompositionEdge> strongestEdges(const CompositionScores& scores, std::size_t most, double subtract)
{
    const auto later = [](const CompositionEdge& a, const CompositionEdge& b) { return a.score > b.score; };
    std::vector<CompositionEdge> edges; // of those so far, a heap with the weakest on top
    const std::int64_t heads = scores.heads;
    const std::int64_t all = scores.layers * heads;
    for (const CompositionKind kind : kCompositionKinds)
    {
        const std::vector<double>& values = scores.of(kind);
        for (std::int64_t from = 0; from < all && !values.empty() && most > 0; ++from)
            for (std::int64_t to = (from / heads + 1) * heads; to < all; ++to)
            {
                const double score = values[static_cast<std::size_t>(from * all + to)] - subtract;
                if (edges.size() == most && score <= edges.front().score)
                    continue;
                if (edges.size() == most)
                {
                    std::ranges::pop_heap(edges, later);
                    edges.pop_back();
                }
                edges.push_back({kind, from / heads, from % heads, to / heads, to % heads, score});
                std::ranges::push_heap(edges, later);
            }
    }
    const auto order = [](const CompositionEdge& a, const CompositionEdge& b) {
        if (a.score != b.score)
            return a.score > b.score;
        return std::tie(a.kind, a.fromLayer, a.fromHead, a.toLayer, a.toHead) <
               std::tie(b.kind, b.fromLayer, b.fromHead, b.toLayer, b.toHead);
    };
    std::ranges::sort(edges, order);
    return edges;
}

} // namespace headscope
