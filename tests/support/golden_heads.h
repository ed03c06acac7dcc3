// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_vectors.h"
#include "model/data/model_info.h"

#include "tests/support/golden_file.h"

#include <string>
#include <vector>

namespace headscope::test
{

/// A dataset [N, H, D] as head vectors.
inline HeadVectors goldenHeads(const GoldenFile& file, const std::string& dataset)
{
    const auto shape = file.shape(dataset);
    return {Stage::HeadOutput, LayerIndex(0), shape[0], shape[1], shape[2], file.floats(dataset)};
}

/// A dataset [N, D] as head vectors of `heads` equal slices.
inline HeadVectors goldenSegments(const GoldenFile& file, const std::string& dataset, std::int64_t heads)
{
    const auto shape = file.shape(dataset);
    return {Stage::OutputSegment, LayerIndex(0), shape[0], heads, shape[1] / heads, file.floats(dataset)};
}

/// The model that the caches "a" and "b" of tests/golden/analysis stand for.
inline ModelInfo goldenModel(const GoldenFile& file, const std::string& cache, const HeadVectors& heads)
{
    ModelInfo info;
    info.layers = 1;
    info.heads = heads.heads();
    info.kvHeads = file.integers(cache + "/cache/KV")[0];
    info.headDim = heads.dims();
    info.modelDim = heads.heads() * heads.dims();
    return info;
}

inline std::vector<std::int32_t> goldenLabels(const GoldenFile& file, const std::string& dataset)
{
    const auto values = file.integers(dataset);
    return {values.begin(), values.end()};
}

} // namespace headscope::test
