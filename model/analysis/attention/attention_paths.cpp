// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/attention_paths.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>

namespace headscope
{
namespace
{

/// sum of 1/2 (a ln(a / m) + b ln(b / m)), m = (a + b) / 2, over smoothed weights.
double divergence(std::span<const float> one, std::span<const float> other, std::int64_t tokens)
{
    constexpr double kSmoothing = 1e-3;
    const double even = kSmoothing / static_cast<double>(tokens);
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
    {
        const double a = (1 - kSmoothing) * static_cast<double>(one[i]) + even;
        const double b = (1 - kSmoothing) * static_cast<double>(other[i]) + even;
        const double m = (a + b) / 2;
        sum += (a * std::log(a / m) + b * std::log(b / m)) / 2;
    }
    return sum;
}

/// A network of layers of tokens, in which flows are found.
class FlowNetwork
{
public:
    /// Node (l, t) is token t behind layer l - 1; edges lead towards the input.
    explicit FlowNetwork(std::span<const MatrixD> mixed) : m_tokens(mixed.front().rows())
    {
        m_edgesOf.resize((mixed.size() + 1) * static_cast<std::size_t>(m_tokens));
        for (std::size_t layer = 0; layer < mixed.size(); ++layer)
            for (std::int64_t t = 0; t < m_tokens; ++t)
                for (std::int64_t s = 0; s < m_tokens; ++s)
                    if (mixed[layer](t, s) > kLeast)
                        addEdge(node(layer + 1, t), node(layer, s), mixed[layer](t, s));
    }

    [[nodiscard]] std::size_t node(std::size_t layer, std::int64_t token) const
    {
        return layer * static_cast<std::size_t>(m_tokens) + static_cast<std::size_t>(token);
    }

    double largestFlow(std::size_t from, std::size_t to)
    {
        for (Edge& edge : m_edges)
            edge.left = edge.capacity;
        double flow = 0;
        while (levels(from, to))
        {
            m_next.assign(m_edgesOf.size(), 0);
            while (const double pushed = push(from, to, std::numeric_limits<double>::infinity()))
                flow += pushed;
        }
        return flow;
    }

private:
    static constexpr double kLeast = 1e-12; ///< capacities below it are none: sums of roundings

    struct Edge
    {
        std::size_t to;
        double capacity;
        double left;
    };

    /// An edge and the way back, side by side.
    void addEdge(std::size_t from, std::size_t to, double capacity)
    {
        m_edgesOf[from].push_back(m_edges.size());
        m_edges.push_back({to, capacity, 0});
        m_edgesOf[to].push_back(m_edges.size());
        m_edges.push_back({from, 0, 0});
    }

    /// Distances from a node over edges that have capacity left; false: `to` is out of reach.
    bool levels(std::size_t from, std::size_t to)
    {
        m_level.assign(m_edgesOf.size(), -1);
        m_level[from] = 0;
        std::deque<std::size_t> waiting = {from};
        while (!waiting.empty())
        {
            const std::size_t at = waiting.front();
            waiting.pop_front();
            for (const std::size_t index : m_edgesOf[at])
                if (const Edge& edge = m_edges[index]; edge.left > kLeast && m_level[edge.to] < 0)
                {
                    m_level[edge.to] = m_level[at] + 1;
                    waiting.push_back(edge.to);
                }
        }
        return m_level[to] >= 0;
    }

    /// One path along the levels; 0: there is none any more. As deep as there are layers.
    double push(std::size_t from, std::size_t to, double most) // NOLINT(misc-no-recursion)
    {
        if (from == to)
            return most;
        for (std::size_t& next = m_next[from]; next < m_edgesOf[from].size(); ++next)
        {
            const std::size_t index = m_edgesOf[from][next];
            Edge& edge = m_edges[index];
            if (edge.left <= kLeast || m_level[edge.to] != m_level[from] + 1)
                continue;
            const double pushed = push(edge.to, to, std::min(most, edge.left));
            if (pushed <= 0)
                continue;
            m_edges[index].left -= pushed;
            m_edges[index ^ 1U].left += pushed;
            return pushed;
        }
        return 0;
    }

    std::int64_t m_tokens;
    std::vector<std::vector<std::size_t>> m_edgesOf; ///< of each node, by number
    std::vector<Edge> m_edges;
    std::vector<int> m_level;
    std::vector<std::size_t> m_next; ///< the edge of each node that is tried next
};

} // namespace

MatrixD attentionDistances(std::span<const float> weights, std::int64_t heads, std::int64_t tokens, int numThreads)
{
    const auto size = static_cast<std::size_t>(tokens * tokens);
    const auto of = [&](std::int64_t head) { return weights.subspan(static_cast<std::size_t>(head) * size, size); };
    MatrixD distances(heads, heads);
    parallelFor(numThreads, heads, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            for (std::int64_t j = 0; j < i; ++j)
                distances(i, j) = divergence(of(i), of(j), tokens);
    });
    for (std::int64_t i = 0; i < heads; ++i)
        for (std::int64_t j = 0; j < i; ++j)
            distances(j, i) = distances(i, j);
    return distances;
}

MatrixD mixedTokens(std::span<const float> weights, std::int64_t heads, std::int64_t tokens, FirstToken first)
{
    MatrixD mixed(tokens, tokens);
    for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t t = 0; t < tokens; ++t)
        {
            const auto row = weights.subspan(static_cast<std::size_t>((head * tokens + t) * tokens),
                                             static_cast<std::size_t>(tokens));
            const bool without = first == FirstToken::LeftOut && t > 0;
            // 1 less the first weight would leave nothing but float32's rounding of a sink.
            const double rest = without ? std::accumulate(row.begin() + 1, row.end(), 0.0) : 1.0;
            if (rest <= 0)
                mixed(t, t) += 1;
            else
                for (std::int64_t s = without ? 1 : 0; s < tokens; ++s)
                    mixed(t, s) += static_cast<double>(row[static_cast<std::size_t>(s)]) / rest;
        }
    for (std::int64_t t = 0; t < tokens; ++t)
    {
        double sum = 0;
        for (double& value : mixed.row(t))
            value /= static_cast<double>(heads);
        mixed(t, t) += 1;
        for (const double value : mixed.row(t))
            sum += value;
        for (double& value : mixed.row(t))
            value /= sum;
    }
    return mixed;
}

MatrixD attentionRollout(std::span<const MatrixD> mixed)
{
    MatrixD reached = mixed.front();
    const std::int64_t tokens = reached.rows();
    for (const MatrixD& layer : mixed.subspan(1))
    {
        MatrixD next(tokens, tokens);
        for (std::int64_t t = 0; t < tokens; ++t)
            for (std::int64_t s = 0; s < tokens; ++s)
                if (const double share = layer(t, s); share != 0)
                    std::ranges::transform(next.row(t), reached.row(s), next.row(t).begin(),
                                           [share](double sum, double value) { return sum + share * value; });
        reached = std::move(next);
    }
    return reached;
}

std::vector<double> attentionFlow(std::span<const MatrixD> mixed, std::int64_t token)
{
    FlowNetwork network(mixed);
    std::vector<double> flows;
    for (std::int64_t input = 0; input < mixed.front().rows(); ++input)
        flows.push_back(network.largestFlow(network.node(mixed.size(), token), network.node(0, input)));
    return flows;
}

PathMeasures::PathMeasures(std::int64_t heads, std::int64_t tokens, int numThreads)
    : m_heads(heads), m_tokens(tokens), m_numThreads(numThreads),
      m_layer(static_cast<std::size_t>(heads * tokens * tokens))
{}

void PathMeasures::add(HeadIndex head, TokenIndex first, ConstMatrixView rows)
{
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        std::ranges::copy(rows.row(i), m_layer.begin() + ((head.value() * m_tokens) + first.value() + i) * m_tokens);
    m_rows += rows.rows();
    if (m_rows < m_heads * m_tokens)
        return;
    m_rows = 0;
    m_distances.push_back(attentionDistances(m_layer, m_heads, m_tokens, m_numThreads));
    m_mixed.push_back(mixedTokens(m_layer, m_heads, m_tokens, FirstToken::Kept));
    m_mixedWithoutFirst.push_back(mixedTokens(m_layer, m_heads, m_tokens, FirstToken::LeftOut));
}

AttentionPaths PathMeasures::take(std::int64_t flowOf) const
{
    AttentionPaths found{.distances = m_distances,
                         .rollout = attentionRollout(m_mixed),
                         .rolloutWithoutFirst = attentionRollout(m_mixedWithoutFirst),
                         .flowOf = flowOf,
                         .flow = {}};
    if (m_tokens <= kMaxOfFlow)
        found.flow = attentionFlow(m_mixed, flowOf);
    return found;
}

} // namespace headscope
