// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/results/measures/geometry_results.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace headscope
{

/// Debiased linear CKA of every head with every head of all these layers, and of the layers with each other.
///
/// As headCka: with centred rows K 1 = -|x_i|^2, so that beside |X_a^T X_b|^2 nothing but sums of the squared lengths
/// is needed. A layer's |X^T Y|^2 and |x_i|^2 are the sums of those of its heads. Documents in which any of the heads
/// holds NaN or infinity are left out.
/// @param layers  of one stage and shape, the same documents
/// @param heads   from 0, ascending, at least one
/// @errors  InvalidArgument (fewer than 4 usable documents), OutOfMemory, Cancelled
/// @threads uses numThreads threads; result independent of their number
/// @cost    N (L H D)^2 / 2 multiply-adds in double; memory: one layer in double, and L H N squared lengths
/// @source  Kornblith et al. 2019, arXiv 1905.00414; Song et al. 2012, JMLR 13, 1393-1434 (HSIC_1)
[[nodiscard]] Result<LayerSimilarity> layerSimilarity(std::span<const std::shared_ptr<const HeadVectors>> layers,
                                                      std::span<const std::int64_t> heads, int numThreads,
                                                      JobContext& job);

/// Debiased linear CKA of one head with every head of a layer: a row of layerSimilarity's matrix of heads, from two
/// layers alone. Documents in which the head, or any head of the layer, holds NaN or infinity are left out.
/// @param of     the layer of the head, the same documents as `layer`
/// @return  [H] of `layer`; NaN where one of the two does not vary, 1 for the head itself
/// @errors  InvalidArgument (fewer than 4 usable documents), OutOfMemory, Cancelled
/// @threads uses numThreads threads; result independent of their number
/// @cost    2 N H D^2 multiply-adds in double; memory: one layer in double
[[nodiscard]] Result<std::vector<double>> similarityToHead(const HeadVectors& of, HeadIndex head,
                                                           const std::shared_ptr<const HeadVectors>& layer,
                                                           int numThreads, JobContext& job);

} // namespace headscope
