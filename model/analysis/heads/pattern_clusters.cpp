// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/pattern_clusters.h"

#include "model/analysis/topics/cluster_order.h"
#include "model/base/text/fixed_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::array<std::string_view, 7> kKeys = {"entropy_causal", "first_token", "previous_token", "self_token",
                                                   "confidence",     "induction",   "duplicate_token"};

/// Those that there are and that any two heads have.
std::vector<const HeadMeasure*> usable(const HeadMeasures& measures)
{
    std::vector<const HeadMeasure*> found;
    for (const std::string_view key : kKeys)
        if (const HeadMeasure* const measure = measures.find(key); measure != nullptr && measure->known() > 1)
            found.push_back(measure);
    return found;
}

std::vector<HeadPlace> headsWithAll(const HeadMeasures& measures, const std::vector<const HeadMeasure*>& of)
{
    std::vector<HeadPlace> places;
    for (std::int64_t layer = 0; layer < measures.layers; ++layer)
        for (std::int64_t head = 0; head < measures.heads; ++head)
            if (std::ranges::all_of(of, [&](const HeadMeasure* each) { return each->has(layer, head); }))
                places.push_back({layer, head});
    return places;
}

/// The numbers of a measure, less their mean, divided by their standard deviation; empty where they do not vary.
std::vector<double> standardised(const HeadMeasure& measure, const std::vector<HeadPlace>& places)
{
    std::vector<double> values;
    for (const HeadPlace& place : places)
        values.push_back(measure.at(place.layer, place.head));
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (double& value : values)
    {
        value -= mean;
        squares += value * value;
    }
    const double sd = std::sqrt(squares / n);
    constexpr double kLeast = 1e-12; // of the mean: what rounding leaves of equal numbers
    if (!(sd > kLeast * std::max(1.0, std::abs(mean))))
        return {};
    for (double& value : values)
        value /= sd;
    return values;
}

/// The cluster of each item, as the lowest item of it, where the highest joins of the tree are undone.
std::vector<std::int64_t> cutTree(const ClusterTree& tree, std::int64_t clusters)
{
    const auto n = std::ssize(tree.order);
    std::vector<std::size_t> byHeight(tree.joins.size());
    std::iota(byHeight.begin(), byHeight.end(), std::size_t{0});
    std::ranges::stable_sort(byHeight, {}, [&](std::size_t join) { return tree.joins[join].height; });
    // Parts come before wholes, also among equal heights.
    std::vector<std::int64_t> parent(static_cast<std::size_t>(n + std::ssize(tree.joins)));
    std::iota(parent.begin(), parent.end(), std::int64_t{0});
    const auto joined = static_cast<std::size_t>(std::max<std::int64_t>(0, n - clusters));
    for (std::size_t i = 0; i < joined; ++i)
    {
        const auto node = n + static_cast<std::int64_t>(byHeight[i]);
        parent[static_cast<std::size_t>(tree.joins[byHeight[i]].first)] = node;
        parent[static_cast<std::size_t>(tree.joins[byHeight[i]].second)] = node;
    }
    std::map<std::int64_t, std::int64_t> lowest; // of each root
    std::vector<std::int64_t> cluster(static_cast<std::size_t>(n));
    for (std::int64_t item = 0; item < n; ++item)
    {
        std::int64_t root = item;
        while (parent[static_cast<std::size_t>(root)] != root)
            root = parent[static_cast<std::size_t>(root)];
        cluster[static_cast<std::size_t>(item)] = lowest.try_emplace(root, item).first->second;
    }
    return cluster;
}

/// Numbers from 1, the largest cluster first.
std::map<std::int64_t, std::int64_t> numbersBySize(const std::vector<std::int64_t>& cluster)
{
    std::map<std::int64_t, std::int64_t> sizes;
    for (const std::int64_t each : cluster)
        ++sizes[each];
    std::vector<std::pair<std::int64_t, std::int64_t>> order(sizes.begin(), sizes.end());
    std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<std::int64_t, std::int64_t>::second);
    std::map<std::int64_t, std::int64_t> numbers;
    for (const auto& [lowest, size] : order)
        numbers[lowest] = std::ssize(numbers) + 1;
    return numbers;
}

/// By what a cluster differs most from the mean of all heads: "First token +1.8 sd".
std::string markOf(const HeadMeasures& measures, const PatternClusters& clusters, const PatternClusters::Cluster& one)
{
    std::size_t most = 0;
    for (std::size_t i = 1; i < one.mean.size(); ++i)
        if (std::abs(one.mean[i]) > std::abs(one.mean[most]))
            most = i;
    const HeadMeasure* const measure = measures.find(clusters.used[most]);
    return fmt::format("{} {} sd", measure == nullptr ? clusters.used[most] : measure->title,
                       signedText(one.mean[most], 1));
}

} // namespace

std::span<const std::string_view> patternKeys()
{
    return kKeys;
}

Result<PatternClusters> clusterPatterns(const HeadMeasures& measures, std::int64_t clusters)
{
    PatternClusters found;
    const std::vector<const HeadMeasure*> of = usable(measures);
    const std::vector<HeadPlace> places = headsWithAll(measures, of);
    std::vector<std::vector<double>> columns;
    for (const HeadMeasure* const measure : of)
        if (auto column = standardised(*measure, places); !column.empty())
        {
            found.used.push_back(measure->key);
            columns.push_back(std::move(column));
        }
    if (columns.empty())
        return Error{ErrorCode::InvalidArgument,
                     "expected attention statistics that differ between heads, found none: measure attention first",
                     {},
                     {}};
    MatrixD rows(std::ssize(places), std::ssize(columns));
    for (std::int64_t row = 0; row < rows.rows(); ++row)
        for (std::int64_t column = 0; column < rows.cols(); ++column)
            rows(row, column) = columns[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)];
    const ClusterTree tree = clusterTree(rows, Linkage::Ward);
    const std::vector<std::int64_t> cluster = cutTree(tree, std::max<std::int64_t>(1, clusters));
    const auto numbers = numbersBySize(cluster);
    found.clusters.resize(numbers.size());
    for (PatternClusters::Cluster& each : found.clusters)
        each.mean.resize(columns.size());
    found.cluster = noValues(measures.layers, measures.heads);
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        const std::int64_t number = numbers.at(cluster[i]);
        found.cluster(places[i].layer, places[i].head) = static_cast<double>(number);
        PatternClusters::Cluster& one = found.clusters[static_cast<std::size_t>(number - 1)];
        ++one.heads;
        for (std::size_t column = 0; column < columns.size(); ++column)
            one.mean[column] += columns[column][i];
    }
    for (PatternClusters::Cluster& each : found.clusters)
        for (double& sum : each.mean)
            sum /= static_cast<double>(each.heads);
    found.ranks.assign(static_cast<std::size_t>(measures.count()), -1);
    for (const std::int64_t item : tree.order)
    {
        const HeadPlace& place = places[static_cast<std::size_t>(item)];
        found.ranks[static_cast<std::size_t>(place.layer * measures.heads + place.head)] = std::ssize(found.order);
        found.order.push_back(place);
    }
    return found;
}

HeadMeasure patternMeasure(const HeadMeasures& measures, const PatternClusters& clusters)
{
    HeadMeasure measure = measureOf("pattern", measures.stage, measures.layers, measures.heads);
    measure.value = clusters.cluster;
    measure.groups = true;
    measure.origin = measures.origin;
    std::string names;
    for (const std::string& key : clusters.used)
    {
        const HeadMeasure* const of = measures.find(key);
        if (of == nullptr)
            continue;
        names += (names.empty() ? "" : ", ") + of->title;
        measure.count = std::max(measure.count, of->count);
        measure.allCount = std::max(measure.allCount, of->allCount);
    }
    measure.source = fmt::format("{} clusters by {}", clusters.clusters.size(), names);
    for (const PatternClusters::Cluster& each : clusters.clusters)
        measure.groupNames.push_back(markOf(measures, clusters, each));
    return measure;
}

} // namespace headscope
