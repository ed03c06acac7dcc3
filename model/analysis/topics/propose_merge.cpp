// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/propose_merge.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace headscope
{
namespace
{

using Group = std::vector<std::int32_t>;

/// Groups of topics, each at the place of its lowest code, with the sums of similarities between
/// them and for each the best partner behind it.
class Groups
{
public:
    explicit Groups(const TopicSimilarity& similarity) : m_sums(similarity.values)
    {
        for (std::int32_t topic = 0; topic < m_sums.rows(); ++topic)
            m_members.push_back({topic});
        for (std::int64_t i = 0; i < m_sums.rows(); ++i)
            m_best.push_back(bestBehind(i));
    }

    /// The two groups with the largest mean similarity, if that reaches the threshold; ties: the
    /// lower codes.
    [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> nearestPair(double threshold) const
    {
        std::optional<std::pair<std::int64_t, std::int64_t>> pair;
        double value = threshold;
        for (std::size_t i = 0; i < m_best.size(); ++i)
        {
            const Best& best = m_best[i];
            if (best.partner < 0 || best.value < value || (pair && best.value == value))
                continue;
            pair = {static_cast<std::int64_t>(i), best.partner};
            value = best.value;
        }
        return pair;
    }

    void merge(std::int64_t kept, std::int64_t joined)
    {
        Group& into = membersOf(kept);
        Group& from = membersOf(joined);
        into.insert(into.end(), from.begin(), from.end());
        std::sort(into.begin(), into.end());
        from.clear();
        for (std::int64_t other = 0; other < m_sums.rows(); ++other)
            m_sums(kept, other) = m_sums(other, kept) = m_sums(kept, other) + m_sums(joined, other);
        for (std::int64_t i = 0; i < m_sums.rows(); ++i)
        {
            Best& best = m_best[static_cast<std::size_t>(i)];
            if (i == kept || i == joined || best.partner == kept || best.partner == joined)
                best = bestBehind(i);
            else if (i < kept && !membersOf(i).empty())
                take(i, kept, best);
        }
    }

    /// Mean similarity of the members of two groups.
    [[nodiscard]] double similarity(std::int64_t a, std::int64_t b) const
    {
        return m_sums(a, b) / static_cast<double>(membersOf(a).size() * membersOf(b).size());
    }

private:
    struct Best
    {
        std::int64_t partner = -1;
        double value = -std::numeric_limits<double>::infinity();
    };

    [[nodiscard]] Group& membersOf(std::int64_t group) { return m_members[static_cast<std::size_t>(group)]; }
    [[nodiscard]] const Group& membersOf(std::int64_t group) const
    {
        return m_members[static_cast<std::size_t>(group)];
    }

    /// Makes `partner` the best of group i where it is better, or as good with a lower code.
    void take(std::int64_t i, std::int64_t partner, Best& best) const
    {
        const double value = similarity(i, partner);
        if (value > best.value || (value == best.value && partner < best.partner)) // NaN never
            best = {partner, value};
    }

    [[nodiscard]] Best bestBehind(std::int64_t i) const
    {
        Best best;
        if (!membersOf(i).empty())
            for (std::int64_t j = i + 1; j < m_sums.rows(); ++j)
                if (!membersOf(j).empty())
                    take(i, j, best);
        return best;
    }

    MatrixD m_sums;               // [T, T] over the members of both groups
    std::vector<Group> m_members; // empty where the group is in another
    std::vector<Best> m_best;
};

} // namespace

TopicMergePath mergePath(const TopicSimilarity& similarity)
{
    TopicMergePath path;
    path.similarity = similarity;
    Groups groups(similarity);
    const auto topics = static_cast<std::size_t>(similarity.values.rows());
    // Of each group its topics in the order of joining: the leaves of the tree.
    std::vector<Group> leaves(topics);
    for (std::size_t topic = 0; topic < topics; ++topic)
        leaves[topic] = {static_cast<std::int32_t>(topic)};
    while (const auto pair = groups.nearestPair(-std::numeric_limits<double>::infinity()))
    {
        path.joins.push_back({static_cast<std::int32_t>(pair->first), static_cast<std::int32_t>(pair->second),
                              groups.similarity(pair->first, pair->second)});
        groups.merge(pair->first, pair->second);
        Group& into = leaves[static_cast<std::size_t>(pair->first)];
        Group& from = leaves[static_cast<std::size_t>(pair->second)];
        into.insert(into.end(), from.begin(), from.end());
        from.clear();
    }
    for (const Group& group : leaves)
        path.order.insert(path.order.end(), group.begin(), group.end());
    return path;
}

TopicMerge proposeMerge(const TopicSimilarity& similarity, double threshold)
{
    return mergeAt(mergePath(similarity), threshold);
}

} // namespace headscope
