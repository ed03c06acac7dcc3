// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/parallel.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace headscope
{

/// Rows that are looked at together when sums over all rows are formed.
inline constexpr std::int64_t kSumBlock = 256;
/// Sums over rows are kept in this many parts, whatever the number of threads.
inline constexpr std::int64_t kSumParts = 16;

/// Calls body(part, begin, count) for blocks of rows; the parts, below kSumParts, follow from the number of
/// rows alone, and one part's blocks come in order on one thread.
template <class Body>
void forRowParts(int numThreads, std::int64_t rows, const Body& body)
{
    const std::int64_t share = std::max(kSumBlock, blockCount(blockCount(rows, kSumBlock), kSumParts) * kSumBlock);
    parallelForBlocks(numThreads, rows, share, [&](const Block& part, int) {
        for (std::int64_t begin = part.begin; begin < part.end; begin += kSumBlock)
            body(static_cast<std::size_t>(part.index), begin, std::min(kSumBlock, part.end - begin));
    });
}

/// sum += values, in double; an empty sum is zero.
inline void addInDouble(std::vector<double>& sum, const std::vector<float>& values)
{
    sum.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        sum[i] += static_cast<double>(values[i]);
}

/// Parts in their order; parts without a row may be empty.
inline std::vector<double> addParts(const std::vector<std::vector<double>>& parts, std::size_t size)
{
    std::vector<double> total(size);
    for (const auto& part : parts)
    {
        for (std::size_t i = 0; i < part.size(); ++i)
            total[i] += part[i];
    }
    return total;
}

} // namespace headscope
