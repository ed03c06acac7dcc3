// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/data/results/cluster_tree.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <vector>

namespace headscope
{

/// Rows in an order in which similar ones are adjacent: the leaves of an agglomerative clustering (Euclidean
/// distances, average linkage), each pair of clusters turned so that its nearer ends touch. The end with the larger
/// first number comes first. Ties go to the lower row, so that the order is unique.
/// @param rows  [n, D]; NaN counts as 0
/// @return 0..n-1, each once
/// @cost   O(n^2 (D + log n)) and 8 n^2 bytes
/// @source nearest-neighbour chains: Murtagh 1983 (doi 10.1093/comjnl/26.4.354)
[[nodiscard]] std::vector<std::int64_t> clusterOrder(const MatrixD& rows);

/// How far two clusters are apart.
enum class Linkage
{
    Average, ///< mean over pairs of their members
    Ward     ///< by how much the sum of squares inside grows when they are joined: its root times the root of two
};

/// The clustering itself, with that order of its leaves.
/// @cost   as clusterOrder
/// @source Ward 1963 (doi 10.1080/01621459.1963.10500845), by the recurrence of Lance and Williams; heights as scipy's
[[nodiscard]] ClusterTree clusterTree(const MatrixD& rows, Linkage linkage = Linkage::Average);

/// The clustering of the heads' rows of a heatmap, without the full one; a cell without a value counts as 0.
[[nodiscard]] ClusterTree headTree(const Heatmap& heatmap);

} // namespace headscope
