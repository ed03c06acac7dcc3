// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Queries and keys of one head as points of one space.
struct QueryKeySpace
{
    MatrixF rows;     ///< [2 n, Dh]: the queries, then the keys of the same tokens
    double scale = 1; ///< queries were multiplied by it, and keys divided
};

/// Brings queries and keys together by two changes after which every attention weight is what it was:
///
/// 1. queries times s, keys divided by s, with which both are spread alike (root mean square distance to their own
/// mean):
///    products q.k stay what they are;
/// 2. all keys moved by one vector, onto the mean of the queries: every score of a query changes by the same number,
///    which softmax does not see.
///
/// Near points of a query and a key then mean a large product among vectors of like length; far ones do not mean a
/// small one. Vectors of no spread keep their length.
/// @param q, k  [M, Dh]
/// @param rows  [n] of these
/// @source  the idea of both changes: Yeh et al., "AttentionViz: A Global View of Transformer Attention", IEEE TVCG
/// 2024
///          (arXiv 2305.03210), who choose s otherwise
[[nodiscard]] QueryKeySpace queryKeySpace(ConstMatrixView q, ConstMatrixView k, std::span<const std::int64_t> rows);

/// The first n numbers of 0..count-1 in an order that a seed draws, ascending: a sample of a sample, the smaller one
/// inside the larger.
[[nodiscard]] std::vector<std::int64_t> drawnRows(std::int64_t count, std::int64_t n, std::uint64_t seed);

} // namespace headscope
