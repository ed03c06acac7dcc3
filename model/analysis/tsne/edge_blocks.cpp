// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/edge_blocks.h"

#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/exponentials.h"
#include "model/kernels/half.h"

#include <algorithm>
#include <cmath>

namespace headscope
{

Result<EdgeBlocks> EdgeBlocks::make(std::int64_t points, const RowOf& rowOf, EdgePrecision precision, int numThreads,
                                    JobContext& job)
{
    EdgeBlocks edges(points);
    std::vector<Scratch> scratches(sizeOf(numThreads));
    parallelForBlocks(numThreads, points, kRows, [&](const Block& block, int worker) {
        if (job.stopRequested())
            return;
        Scratch& scratch = scratches[sizeOf(worker)];
        OneBlock& own = edges.m_blocks[sizeOf(block.index)];
        gather(block.begin, block.end, rowOf, scratch, own);
        store(scratch, precision, own);
    });
    HEADSCOPE_CHECK(job.checkStop());
    edges.sum();
    return edges;
}

Result<EdgeBlocks> EdgeBlocks::make(const JointRows<float>& rows, EdgePrecision precision, int numThreads,
                                    JobContext& job)
{
    EdgeBlocks edges(rows.points());
    std::vector<Scratch> scratches(sizeOf(numThreads));
    const auto put = [&](const Block& block, int worker, const RowOf& rowOf) {
        Scratch& scratch = scratches[sizeOf(worker)];
        OneBlock& own = edges.m_blocks[sizeOf(block.index)];
        gather(block.begin, block.end, rowOf, scratch, own);
        store(scratch, precision, own);
    };
    HEADSCOPE_CHECK(rows.visit(put, numThreads, job));
    edges.sum();
    return edges;
}

EdgeBlocks::EdgeBlocks(std::int64_t points) : m_points(points), m_blocks(sizeOf(blockCount(points, kRows))) {}

void EdgeBlocks::sum()
{
    for (const OneBlock& block : m_blocks)
    {
        m_total += block.total;
        m_entropy += block.entropy;
    }
}

void EdgeBlocks::gather(std::int64_t begin, std::int64_t end, const RowOf& rowOf, Scratch& scratch, OneBlock& block)
{
    scratch.columns.clear();
    scratch.values.clear();
    block.start.assign(1, 0);
    for (std::int64_t i = begin; i < end; ++i)
    {
        rowOf(i, scratch.row);
        float whole = 0;
        for (const auto& edge : scratch.row)
            whole += edge.value;
        block.total += static_cast<double>(whole);
        for (const auto& [column, value] : scratch.row)
        {
            if (value < kNegligible * whole)
                continue;
            scratch.columns.push_back(column);
            scratch.values.push_back(value);
        }
        while (scratch.columns.size() % sizeOf(kEdgePadding) != 0)
        {
            scratch.columns.push_back(static_cast<std::int32_t>(i)); // no pull, and a place already loaded
            scratch.values.push_back(0);
        }
        block.start.push_back(static_cast<std::int32_t>(scratch.columns.size()));
    }
    block.entropy = entropySum(scratch.values.data(), static_cast<std::int64_t>(scratch.values.size()));
}

void EdgeBlocks::store(Scratch& scratch, EdgePrecision precision, OneBlock& block)
{
    const std::size_t count = scratch.columns.size();
    block.columns = arrayOf<std::int32_t>(count);
    std::copy(scratch.columns.begin(), scratch.columns.end(), block.columns.get());
    if (precision == EdgePrecision::Full)
    {
        block.values = arrayOf<float>(count);
        std::copy(scratch.values.begin(), scratch.values.end(), block.values.get());
        return;
    }
    // The largest of the block comes to 2^14 .. 2^15; a power of two rounds both ends of an edge alike.
    const float largest = count == 0 ? 0.0F : *std::max_element(scratch.values.begin(), scratch.values.end());
    const int exponent = largest > 0 ? 15 - (std::ilogb(largest) + 1) : 0;
    block.scale = std::ldexp(1.0F, -exponent);
    const float factor = std::ldexp(1.0F, exponent);
    for (float& value : scratch.values)
        value *= factor;
    block.halves = arrayOf<std::uint16_t>(count);
    halfFromFloats(scratch.values, std::span(block.halves.get(), count));
}

void EdgeBlocks::forces(std::int64_t block, const float* xy, float inverse, float* into, double* logSum) const
{
    const OneBlock& own = m_blocks[sizeOf(block)];
    const EdgeRows rows{own.start.data(), own.columns.get(), own.values.get(), own.halves.get(), own.scale};
    edgeForces(xy, block * kRows, static_cast<std::int64_t>(own.start.size()) - 1, rows, inverse, into, logSum);
}

} // namespace headscope
