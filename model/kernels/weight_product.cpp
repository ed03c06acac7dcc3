// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/weight_product.h"

#include "model/kernels/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/kernels/weight_product.cpp"
#include <hwy/foreach_target.h> // first: compiles this file once per instruction set

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace headscope::HWY_NAMESPACE
{
namespace hn = hwy::HWY_NAMESPACE;

namespace
{

/// What one call multiplies; the parts of A are copied to `packed`.
struct WeightProductTask
{
    std::int64_t m;
    std::int64_t n;
    std::int64_t k;
    const float* a;
    std::int64_t lda;
    PackedWeights weights;
    float* c;
    std::int64_t ldc;
    bool add;
    float* packed;
    const std::stop_token* stop;
};

/// Numbers of A and W at most that are added up in registers: a band of W then stays in the first-level cache.
constexpr std::int64_t kMostDepth = 256;
/// Rows of A whose part stays in the second-level cache.
constexpr std::int64_t kBlockRows = 192;
/// Columns of C, hence rows of W, that all rows of A are multiplied by in turn: they stay in the third-level cache.
constexpr std::int64_t kBlockColumns = 512;
/// The parts that k numbers are added up in, about equally long. The order of sums follows it, whatever the
/// instruction set.
constexpr std::int64_t depthOf(std::int64_t k)
{
    const std::int64_t parts = (k + kMostDepth - 1) / kMostDepth;
    return (k + parts - 1) / parts;
}

/// Rows of A and bands of W a tile: sums in 28 of 32 registers, or in 12 of 16.
constexpr std::int64_t kTileRows = HWY_TARGET <= HWY_AVX3 ? 14 : 6;
constexpr std::int64_t kTileBands = HWY_TARGET <= HWY_AVX3 ? 2 : 1;

/// Where a tile's factors and sums lie.
struct TileTask
{
    std::int64_t depth;
    const float* a; ///< [depth, rows]
    const float* band;
    std::int64_t bandStride;
    float* c;
    std::int64_t ldc;
    bool add;
};

/// c[kRows, kBands] = a^T [depth, kBands], sums in registers.
template <std::int64_t kRows, std::int64_t kBands>
void tile(const TileTask& task)
{
    const hn::CappedTag<float, kWeightBand> d;
    constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(hn::CappedTag<float, kWeightBand>()));
    constexpr std::int64_t kPerBand = kWeightBand / kLanes;
    constexpr std::int64_t kVectors = kBands * kPerBand;
    hn::Vec<decltype(d)> sums[kRows][kVectors];
    HWY_UNROLL(16)
    for (std::int64_t i = 0; i < kRows; ++i)
    {
        HWY_UNROLL(4)
        for (std::int64_t v = 0; v < kVectors; ++v)
            sums[i][v] = hn::Zero(d);
    }
    for (std::int64_t i = 0; i < kRows; ++i) // the sums come to rest there, far behind the products
    {
        __builtin_prefetch(task.c + i * task.ldc, 1);
        __builtin_prefetch(task.c + i * task.ldc + kBands * kWeightBand - 1, 1);
    }
    const float* HWY_RESTRICT a = task.a;
    const float* HWY_RESTRICT band = task.band;
    HWY_UNROLL(4)
    for (std::int64_t p = 0; p < task.depth; ++p)
    {
        hn::Vec<decltype(d)> right[kVectors];
        HWY_UNROLL(4)
        for (std::int64_t v = 0; v < kVectors; ++v)
            right[v] =
                hn::LoadU(d, band + (v / kPerBand) * task.bandStride + p * kWeightBand + (v % kPerBand) * kLanes);
        HWY_UNROLL(16)
        for (std::int64_t i = 0; i < kRows; ++i)
        {
            const auto left = hn::Set(d, a[p * kRows + i]);
            HWY_UNROLL(4)
            for (std::int64_t v = 0; v < kVectors; ++v)
                sums[i][v] = hn::MulAdd(left, right[v], sums[i][v]);
        }
    }
    HWY_UNROLL(16)
    for (std::int64_t i = 0; i < kRows; ++i)
    {
        HWY_UNROLL(4)
        for (std::int64_t v = 0; v < kVectors; ++v)
        {
            float* to = task.c + i * task.ldc + v * kLanes;
            hn::StoreU(task.add ? hn::Add(hn::LoadU(d, to), sums[i][v]) : sums[i][v], d, to);
        }
    }
}

#if HWY_TARGET != HWY_SCALAR
/// Four rows of four numbers, turned.
template <class D, class V>
HWY_INLINE void turn(D d, const V* rows, V* columns)
{
    const V low02 = hn::InterleaveLower(d, rows[0], rows[2]);
    const V low13 = hn::InterleaveLower(d, rows[1], rows[3]);
    const V high02 = hn::InterleaveUpper(d, rows[0], rows[2]);
    const V high13 = hn::InterleaveUpper(d, rows[1], rows[3]);
    columns[0] = hn::InterleaveLower(d, low02, low13);
    columns[1] = hn::InterleaveUpper(d, low02, low13);
    columns[2] = hn::InterleaveLower(d, high02, high13);
    columns[3] = hn::InterleaveUpper(d, high02, high13);
}
#endif

/// Copies rows of A to [depth, kRows].
template <std::int64_t kRows>
void copyTile(const float* a, std::int64_t lda, std::int64_t depth, float* to)
{
    std::int64_t p = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::FixedTag<float, 4> d;
    constexpr std::int64_t kQuads = (kRows + 3) / 4;
    using V = hn::Vec<hn::FixedTag<float, 4>>;
    for (; p + 4 <= depth; p += 4)
    {
        V columns[kQuads][4];
        HWY_UNROLL(4)
        for (std::int64_t q = 0; q < kQuads; ++q)
        {
            V rows[4];
            HWY_UNROLL(4)
            for (std::int64_t i = 0; i < 4; ++i)
                rows[i] = hn::LoadU(d, a + std::min(4 * q + i, kRows - 1) * lda + p);
            turn(d, rows, columns[q]);
        }
        // In this order, as the last four of a column may reach into the next column.
        HWY_UNROLL(4)
        for (std::int64_t column = 0; column < 4; ++column)
        {
            HWY_UNROLL(4)
            for (std::int64_t q = 0; q < kQuads; ++q)
                hn::StoreU(columns[q][column], d, to + (p + column) * kRows + 4 * q);
        }
    }
#endif
    for (; p < depth; ++p)
        for (std::int64_t i = 0; i < kRows; ++i)
            to[p * kRows + i] = a[i * lda + p];
}

using TileFunction = void (*)(const TileTask&);
using CopyFunction = void (*)(const float*, std::int64_t, std::int64_t, float*);

template <std::int64_t kBands, std::size_t... kIndex>
constexpr std::array<TileFunction, kTileRows> tilesOf(std::index_sequence<kIndex...> /*rows*/)
{
    return {&tile<kIndex + 1, kBands>...};
}
template <std::size_t... kIndex>
constexpr std::array<CopyFunction, kTileRows> copiesOf(std::index_sequence<kIndex...> /*rows*/)
{
    return {&copyTile<kIndex + 1>...};
}

/// m rows in as few tiles as possible, which differ by one row at most: a tile of a few rows wastes the CPU.
class RowTiles
{
public:
    explicit RowTiles(std::int64_t m)
        : m_count((m + kTileRows - 1) / kTileRows), m_rows(m / m_count), m_larger(m % m_count)
    {}
    [[nodiscard]] std::int64_t count() const { return m_count; }
    /// The first row of a tile.
    [[nodiscard]] std::int64_t begin(std::int64_t tile) const { return tile * m_rows + std::min(tile, m_larger); }
    [[nodiscard]] std::int64_t rows(std::int64_t tile) const { return m_rows + (tile < m_larger ? 1 : 0); }

private:
    std::int64_t m_count;
    std::int64_t m_rows;
    std::int64_t m_larger;
};

/// Some tiles of rows, one part of the depth and a block of columns.
struct Part
{
    std::int64_t firstTile;
    std::int64_t endTile;
    std::int64_t begin; ///< of the depth
    std::int64_t depth;
    std::int64_t firstColumn;
    std::int64_t endColumn;
};

class Multiplication
{
public:
    explicit Multiplication(const WeightProductTask& task) : m_task(task), m_tiles(task.m), m_depth(depthOf(task.k)) {}

    void run() const
    {
        for (std::int64_t begin = 0; begin < m_task.k; begin += m_depth)
            copyRows(begin, std::min(m_depth, m_task.k - begin));
        const std::int64_t tilesOfBlock = kBlockRows / kTileRows;
        for (std::int64_t column = 0; column < m_task.n; column += kBlockColumns)
            for (std::int64_t begin = 0; begin < m_task.k; begin += m_depth)
            {
                if (m_task.stop->stop_requested())
                    return;
                for (std::int64_t first = 0; first < m_tiles.count(); first += tilesOfBlock)
                    multiply({first, std::min(first + tilesOfBlock, m_tiles.count()), begin,
                              std::min(m_depth, m_task.k - begin), column, std::min(column + kBlockColumns, m_task.n)});
            }
    }

private:
    void copyRows(std::int64_t begin, std::int64_t depth) const
    {
        static constexpr auto kCopies = copiesOf(std::make_index_sequence<kTileRows>());
        for (std::int64_t t = 0; t < m_tiles.count(); ++t)
            kCopies[static_cast<std::size_t>(m_tiles.rows(t) - 1)](m_task.a + m_tiles.begin(t) * m_task.lda + begin,
                                                                   m_task.lda, depth, copied(t, begin, depth));
    }
    [[nodiscard]] float* copied(std::int64_t tile, std::int64_t begin, std::int64_t depth) const
    {
        return m_task.packed + m_task.m * begin + m_tiles.begin(tile) * depth;
    }

    void multiply(const Part& part) const
    {
        std::int64_t column = part.firstColumn;
        for (; column + kTileBands * kWeightBand <= part.endColumn; column += kTileBands * kWeightBand)
            multiplyBands<kTileBands>(part, column);
        if constexpr (kTileBands > 1)
            for (; column < part.endColumn; column += kWeightBand)
                multiplyBands<1>(part, column);
    }

    template <std::int64_t kBands>
    void multiplyBands(const Part& part, std::int64_t column) const
    {
        static constexpr auto kTiles = tilesOf<kBands>(std::make_index_sequence<kTileRows>());
        const std::int64_t bandStride = kWeightBand * m_task.weights.stride;
        TileTask one{part.depth,
                     nullptr,
                     m_task.weights.fromRow(column).fromColumn(part.begin).data,
                     bandStride,
                     nullptr,
                     m_task.ldc,
                     m_task.add || part.begin > 0};
        // The bands that come next, a part of them during each tile: else the first tile would wait for them.
        const float* next = one.band + kBands * bandStride;
        const std::int64_t tiles = part.endTile - part.firstTile;
        const std::int64_t perTile =
            column + kBands * kWeightBand < part.endColumn ? (part.depth + tiles - 1) / tiles : 0;
        std::int64_t ahead = 0;
        for (std::int64_t t = part.firstTile; t < part.endTile; ++t)
        {
            for (const std::int64_t end = std::min(ahead + perTile, part.depth); ahead < end; ++ahead)
                for (std::int64_t b = 0; b < kBands; ++b)
                    __builtin_prefetch(next + b * bandStride + ahead * kWeightBand, 0, 2);
            one.a = copied(t, part.begin, part.depth);
            one.c = m_task.c + m_tiles.begin(t) * m_task.ldc + column;
            kTiles[static_cast<std::size_t>(m_tiles.rows(t) - 1)](one);
        }
    }

    const WeightProductTask& m_task;
    RowTiles m_tiles;
    std::int64_t m_depth;
};

void MultiplyWeights(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                     const PackedWeights& weights, float* c, std::int64_t ldc, bool add, float* packed,
                     const std::stop_token& stop)
{
    const WeightProductTask task{m, n, k, a, lda, weights, c, ldc, add, packed, &stop};
    Multiplication(task).run();
}

bool IsFast()
{
    return HWY_TARGET <= HWY_AVX2;
}

} // namespace
} // namespace headscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope
{

HWY_EXPORT(MultiplyWeights);
HWY_EXPORT(IsFast);

bool multipliesPackedWeights()
{
    return HWY_DYNAMIC_DISPATCH(IsFast)();
}

void packWeights(float* weights, std::int64_t n, std::int64_t k)
{
    std::vector<float> rows(static_cast<std::size_t>(kWeightBand * k));
    for (std::int64_t first = 0; first < n; first += kWeightBand)
    {
        float* band = weights + first * k;
        std::copy_n(band, rows.size(), rows.begin());
        for (std::int64_t p = 0; p < k; ++p)
            for (std::int64_t i = 0; i < kWeightBand; ++i)
                band[p * kWeightBand + i] = rows[static_cast<std::size_t>(i * k + p)];
    }
}

void unpackWeights(const float* packed, std::int64_t n, std::int64_t k, float* into)
{
    for (std::int64_t row = 0; row < n; ++row)
    {
        const float* from = packed + row / kWeightBand * kWeightBand * k + row % kWeightBand;
        for (std::int64_t p = 0; p < k; ++p)
            into[row * k + p] = from[p * kWeightBand];
    }
}

void weightProduct(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                   PackedWeights weights, float* c, std::int64_t ldc, ProductOutput output, std::vector<float>& scratch,
                   const std::stop_token& stop)
{
    if (m == 0 || n == 0)
        return;
    constexpr std::int64_t kSlack = 16; // a copied tile may be followed by what its last store has too many
    scratch.resize(std::max(scratch.size(), static_cast<std::size_t>(m * k + kSlack)));
    HWY_DYNAMIC_DISPATCH(MultiplyWeights)
    (m, n, k, a, lda, weights, c, ldc, output == ProductOutput::Added, scratch.data(), stop);
}

} // namespace headscope
#endif
