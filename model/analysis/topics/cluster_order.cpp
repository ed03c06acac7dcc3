// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/cluster_order.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace headscope
{
namespace
{

using Leaves = std::vector<std::int64_t>;

double numberOr0(double value)
{
    return std::isnan(value) ? 0.0 : value;
}

double distance(const MatrixD& rows, std::int64_t a, std::int64_t b)
{
    double sum = 0;
    for (std::int64_t i = 0; i < rows.cols(); ++i)
    {
        const double difference = numberOr0(rows(a, i)) - numberOr0(rows(b, i));
        sum += difference * difference;
    }
    return std::sqrt(sum);
}

/// One cluster after the other, each turned so that the ends that touch are the nearest.
Leaves joined(const MatrixD& rows, Leaves a, Leaves b)
{
    const double plain = distance(rows, a.back(), b.front());
    const double turnFirst = distance(rows, a.front(), b.front());
    const double turnSecond = distance(rows, a.back(), b.back());
    const double turnBoth = distance(rows, a.front(), b.back());
    const double best = std::min({plain, turnFirst, turnSecond, turnBoth});
    if (best < plain && (best == turnFirst || (best == turnBoth && best < turnSecond)))
        std::reverse(a.begin(), a.end());
    if (best < plain && best < turnFirst)
        std::reverse(b.begin(), b.end());
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// Clusters and the distances between them.
class Clusters
{
public:
    Clusters(const MatrixD& rows, Linkage linkage)
        : m_rows(rows), m_linkage(linkage), m_distances(rows.rows(), rows.rows())
    {
        for (std::int64_t a = 0; a < rows.rows(); ++a)
        {
            m_leaves.push_back({a});
            m_node.push_back(a);
            for (std::int64_t b = 0; b < a; ++b)
                m_distances(a, b) = m_distances(b, a) = distance(rows, a, b);
        }
    }

    /// The cluster nearest to this one; the preferred one among equals, else the lowest.
    [[nodiscard]] std::int64_t nearest(std::int64_t cluster, std::int64_t preferred) const
    {
        std::int64_t best = preferred;
        double least = preferred >= 0 ? m_distances(cluster, preferred) : std::numeric_limits<double>::infinity();
        for (std::int64_t other = 0; other < m_distances.rows(); ++other)
        {
            if (other == cluster || m_leaves[static_cast<std::size_t>(other)].empty())
                continue;
            if (best < 0 || m_distances(cluster, other) < least)
            {
                best = other;
                least = m_distances(cluster, other);
            }
        }
        return best;
    }

    /// Puts the second cluster into the first.
    void merge(std::int64_t a, std::int64_t b)
    {
        std::int64_t& node = m_node[static_cast<std::size_t>(a)];
        m_joins.push_back({node, m_node[static_cast<std::size_t>(b)], m_distances(a, b)});
        node = m_rows.rows() + static_cast<std::int64_t>(m_joins.size()) - 1;
        Leaves& kept = m_leaves[static_cast<std::size_t>(a)];
        Leaves& other = m_leaves[static_cast<std::size_t>(b)];
        for (std::int64_t c = 0; c < m_distances.rows(); ++c)
            if (c != a && c != b && !m_leaves[static_cast<std::size_t>(c)].empty())
                m_distances(a, c) = m_distances(c, a) = distanceOfBoth(a, b, c);
        kept = joined(m_rows, std::move(kept), std::move(other));
        other.clear();
    }

    [[nodiscard]] Leaves takeLeaves(std::int64_t cluster)
    {
        return std::move(m_leaves[static_cast<std::size_t>(cluster)]);
    }

    [[nodiscard]] std::vector<ClusterTree::Join> takeJoins() { return std::move(m_joins); }

private:
    [[nodiscard]] double sizeOf(std::int64_t cluster) const
    {
        return static_cast<double>(m_leaves[static_cast<std::size_t>(cluster)].size());
    }

    /// From a and b together to c.
    [[nodiscard]] double distanceOfBoth(std::int64_t a, std::int64_t b, std::int64_t c) const
    {
        const double toA = m_distances(a, c);
        const double toB = m_distances(b, c);
        const double between = m_distances(a, b);
        if (m_linkage == Linkage::Average)
            return (sizeOf(a) * toA + sizeOf(b) * toB) / (sizeOf(a) + sizeOf(b));
        const double all = sizeOf(a) + sizeOf(b) + sizeOf(c);
        return std::sqrt(std::max(0.0, ((sizeOf(a) + sizeOf(c)) * toA * toA + (sizeOf(b) + sizeOf(c)) * toB * toB -
                                        sizeOf(c) * between * between) /
                                           all));
    }

    const MatrixD& m_rows;
    Linkage m_linkage;
    MatrixD m_distances;
    std::vector<Leaves> m_leaves;     // empty where the cluster is in another
    std::vector<std::int64_t> m_node; // of each cluster its node in the tree
    std::vector<ClusterTree::Join> m_joins;
};

} // namespace

ClusterTree clusterTree(const MatrixD& rows, Linkage linkage)
{
    if (rows.rows() == 0)
        return {};
    Clusters clusters(rows, linkage);
    std::vector<std::int64_t> chain;
    for (std::int64_t left = rows.rows(); left > 1;)
    {
        if (chain.empty())
            chain.push_back(0); // cluster 0 is always there: a merge keeps the lower number
        const std::int64_t before = chain.size() > 1 ? *std::prev(chain.end(), 2) : -1;
        const std::int64_t next = clusters.nearest(chain.back(), before);
        if (next != before)
        {
            chain.push_back(next);
            continue;
        }
        const auto [low, high] = std::minmax(chain.back(), before);
        const std::int64_t kept = low;
        clusters.merge(kept, high);
        chain.resize(chain.size() - 2);
        --left;
    }
    Leaves order = clusters.takeLeaves(0);
    if (rows.cols() > 0 && numberOr0(rows(order.front(), 0)) < numberOr0(rows(order.back(), 0)))
        std::reverse(order.begin(), order.end());
    return {clusters.takeJoins(), std::move(order)};
}

std::vector<std::int64_t> clusterOrder(const MatrixD& rows)
{
    return clusterTree(rows).order;
}

ClusterTree headTree(const Heatmap& heatmap)
{
    MatrixD rows(heatmap.values.rows() - 1, heatmap.values.cols());
    for (std::int64_t head = 0; head < rows.rows(); ++head)
    {
        const auto cells = heatmap.values.row(1 + head);
        std::copy(cells.begin(), cells.end(), rows.row(head).begin());
    }
    return clusterTree(rows);
}

} // namespace headscope
