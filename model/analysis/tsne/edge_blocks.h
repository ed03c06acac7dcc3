// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/tsne/joint_rows.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/kernels/edge_forces.h"

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace headscope
{

/// How affinities are kept for the iterations.
enum class EdgePrecision
{
    Full, ///< float32
    Half, ///< float16 with a power of two for each block: a relative error of 2.4e-4 at most, edge by edge
};

/// The affinities of a t-SNE as its iterations read them: blocks of rows that lie in memory of
/// their own, padded for the SIMD kernel.
class EdgeBlocks
{
public:
    static constexpr std::int64_t kRows = JointRows<float>::kVisited; ///< points of a block
    /// Edges below this share of their row are left out of the forces; together they are less than
    /// the rounding of the rest.
    static constexpr float kNegligible = 1e-8F;

    using RowOf = JointRows<float>::RowOf;

    EdgeBlocks() = default;
    /// Calls rowOf once for every point, on any thread.
    /// @errors  Cancelled
    /// @threads uses `numThreads` threads; result independent of their number
    [[nodiscard]] static Result<EdgeBlocks> make(std::int64_t points, const RowOf& rowOf, EdgePrecision precision,
                                                 int numThreads, JobContext& job);
    /// The same of all rows.
    /// @errors  those of JointRows::visit
    [[nodiscard]] static Result<EdgeBlocks> make(const JointRows<float>& rows, EdgePrecision precision, int numThreads,
                                                 JobContext& job);

    [[nodiscard]] std::int64_t points() const { return m_points; }
    [[nodiscard]] bool empty() const { return m_blocks.empty(); }
    /// Sum of all affinities as they were handed in.
    [[nodiscard]] double total() const { return m_total; }
    /// Sum of p ln p, likewise.
    [[nodiscard]] double entropy() const { return m_entropy; }

    /// edgeForces() of one block; the arguments are those.
    void forces(std::int64_t block, const float* xy, float inverse, float* into, double* logSum) const;

private:
    struct Free
    {
        void operator()(void* memory) const { operator delete (memory, std::align_val_t{64}); }
    };
    template <class T>
    using Array = std::unique_ptr<T[], Free>; ///< on a cache line

    struct OneBlock
    {
        std::vector<std::int32_t> start; ///< [rows + 1]
        Array<std::int32_t> columns;
        Array<float> values;
        Array<std::uint16_t> halves;
        float scale = 1;
        double total = 0;
        double entropy = 0;
    };
    struct Scratch
    {
        std::vector<JointEdge<float>> row;
        std::vector<std::int32_t> columns;
        std::vector<float> values;
    };

    template <class T>
    static Array<T> arrayOf(std::size_t count)
    {
        return Array<T>(static_cast<T*>(operator new (count * sizeof(T), std::align_val_t{64})));
    }
    explicit EdgeBlocks(std::int64_t points);
    void sum();
    static void gather(std::int64_t begin, std::int64_t end, const RowOf& rowOf, Scratch& scratch, OneBlock& block);
    static void store(Scratch& scratch, EdgePrecision precision, OneBlock& block);

    std::int64_t m_points = 0;
    std::vector<OneBlock> m_blocks;
    double m_total = 0;
    double m_entropy = 0;
};

} // namespace headscope
