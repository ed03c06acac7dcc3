// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/group_errors.h"

#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "model/base/size_of.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

/// Number of the group of each class.
using Grouping = std::vector<std::int64_t>;

/// Group number -> classes in it.
std::map<std::int64_t, std::int64_t> sizesOf(std::span<const std::int64_t> groupOf)
{
    std::map<std::int64_t, std::int64_t> sizes;
    for (const std::int64_t group : groupOf)
        ++sizes[group];
    return sizes;
}

/// In how many ways the classes fall into groups of these sizes: n! over the factorials of the sizes, and of how many
/// groups have the same size.
double groupingsOf(const std::map<std::int64_t, std::int64_t>& sizes)
{
    double ways = 1;
    double placed = 0;
    std::map<std::int64_t, double> alike;
    for (const auto& [group, size] : sizes)
    {
        for (std::int64_t i = 1; i <= size; ++i) // binomial(placed + size, size), a factor at a time
            ways *= ++placed / static_cast<double>(i);
        ways /= ++alike[size];
    }
    return ways;
}

/// Calls `visit` with every grouping into groups of these sizes, each once: the first class without a group takes its
/// companions from those behind it.
class EveryGrouping
{
public:
    EveryGrouping(const std::map<std::int64_t, std::int64_t>& sizes, std::int64_t classes,
                  std::function<void(const Grouping&)> visit)
        : m_groupOf(sizeOf(classes), -1), m_visit(std::move(visit))
    {
        for (const auto& [group, size] : sizes)
            ++m_left[size];
    }

    void run()
    {
        const auto first = std::find(m_groupOf.begin(), m_groupOf.end(), -1);
        if (first == m_groupOf.end())
            return m_visit(m_groupOf);
        for (auto& [size, left] : m_left)
        {
            if (left == 0)
                continue;
            --left;
            *first = m_groups;
            choose(first - m_groupOf.begin() + 1, size - 1);
            *first = -1;
            ++left;
        }
    }

private:
    void choose(std::int64_t from, std::int64_t missing)
    {
        if (missing == 0)
        {
            ++m_groups;
            run();
            --m_groups;
            return;
        }
        for (std::int64_t k = from; k < std::ssize(m_groupOf); ++k)
        {
            if (m_groupOf[sizeOf(k)] >= 0)
                continue;
            m_groupOf[sizeOf(k)] = m_groups;
            choose(k + 1, missing - 1);
            m_groupOf[sizeOf(k)] = -1;
        }
    }

    Grouping m_groupOf;
    std::map<std::int64_t, std::int64_t> m_left; ///< groups of each size that are still to be filled
    std::int64_t m_groups = 0;
    std::function<void(const Grouping&)> m_visit;
};

/// Test rows that a grouping holds inside its groups, without the diagonal.
std::int64_t heldBy(const Matrix<std::int64_t>& confusion, std::span<const std::int64_t> groupOf)
{
    std::int64_t held = 0;
    for (std::int64_t a = 0; a < confusion.rows(); ++a)
        for (std::int64_t b = 0; b < confusion.cols(); ++b)
            held += a != b && groupOf[sizeOf(a)] == groupOf[sizeOf(b)] ? confusion(a, b) : 0;
    return held;
}

void rank(const ProbeResult& probe, std::span<const std::int64_t> groupOf, std::uint64_t seed,
          std::int64_t mostGroupings, GroupErrors& errors)
{
    const auto sizes = sizesOf(groupOf);
    std::int64_t more = 0;
    std::int64_t atLeast = 0;
    const auto compare = [&](std::span<const std::int64_t> grouping) {
        const std::int64_t held = heldBy(probe.confusion, grouping);
        more += held > errors.within ? 1 : 0;
        atLeast += held >= errors.within ? 1 : 0;
        ++errors.groupings;
    };
    errors.exact = groupingsOf(sizes) <= static_cast<double>(mostGroupings) + 0.5;
    if (errors.exact)
    {
        EveryGrouping(sizes, std::ssize(groupOf), compare).run();
    }
    else
    {
        compare(groupOf);
        std::vector<std::int32_t> codes;
        for (const std::int64_t group : groupOf)
            codes.push_back(static_cast<std::int32_t>(std::distance(sizes.begin(), sizes.find(group))));
        const Draws draws(seed);
        for (std::int64_t b = 0; b < mostGroupings; ++b)
        {
            const auto drawn = permutedLabels(codes, draws, b);
            compare(Grouping(drawn.begin(), drawn.end()));
        }
    }
    errors.rank = 1 + more;
    errors.p = static_cast<double>(atLeast) / static_cast<double>(errors.groupings);
}

} // namespace

GroupErrors groupErrors(const ProbeResult& probe, std::span<const std::int64_t> groupOf, std::uint64_t seed,
                        std::int64_t mostGroupings)
{
    GroupErrors result;
    std::map<std::int32_t, std::pair<std::int64_t, std::int64_t>> documents; // within, errors
    for (std::size_t i = 0; i < probe.truths.size(); ++i)
    {
        const std::int32_t truth = probe.truths[i];
        const std::int32_t predicted = probe.predictions[i];
        if (truth == predicted)
            continue;
        auto& [within, errors] =
            documents[probe.testDocuments.empty() ? static_cast<std::int32_t>(i) : probe.testDocuments[i]];
        within += groupOf[static_cast<std::size_t>(truth)] == groupOf[static_cast<std::size_t>(predicted)] ? 1 : 0;
        ++errors;
    }
    std::vector<std::int64_t> within;
    std::vector<std::int64_t> errors;
    for (const auto& [document, counts] : documents)
    {
        within.push_back(counts.first);
        errors.push_back(counts.second);
        result.within += counts.first;
        result.errors += counts.second;
    }
    if (result.errors == 0)
        return result;
    const ClusterShare share = clusterShare(within, errors);
    result.share = share.share;
    result.ci95 = share.ci95;
    const auto sizes = sizesOf(groupOf);
    double expected = 0;
    for (std::int64_t k = 0; k < probe.classes; ++k)
    {
        std::int64_t wrong = -probe.confusion(k, k);
        for (const std::int64_t rows : probe.confusion.row(k))
            wrong += rows;
        expected += static_cast<double>(wrong * (sizes.at(groupOf[sizeOf(k)]) - 1)) /
                    static_cast<double>(std::max<std::int64_t>(1, probe.classes - 1));
    }
    result.chance = expected / static_cast<double>(result.errors);
    rank(probe, groupOf, seed, mostGroupings, result);
    return result;
}

} // namespace headscope
