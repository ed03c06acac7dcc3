// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/mesh_convolution.h"

#include "model/base/assert.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/mesh_splines.h"

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numbers>

namespace headscope
{
namespace
{

/// Offsets of the table of self terms along one axis; between them it is interpolated. The terms
/// are nearly one sine wave, so 32 steps leave half a percent of them.
constexpr std::int64_t kSelfSteps = 32;
constexpr std::int64_t kGroup = 16; // columns turned together: two cache lines of each row
constexpr std::int64_t kTile = 8;   // rows turned together

/// FFTW's planner keeps global state; executing plans does not.
std::mutex& plannerMutex()
{
    static std::mutex mutex;
    return mutex;
}

struct Free
{
    void operator()(void* memory) const { fftwf_free(memory); }
};
template <class T>
using Aligned = std::unique_ptr<T[], Free>;

Aligned<float> floats(std::int64_t count)
{
    return Aligned<float>(fftwf_alloc_real(static_cast<std::size_t>(count)));
}

fftwf_complex* complexOf(float* values)
{
    return reinterpret_cast<fftwf_complex*>(values);
}

/// Copies a group of complex columns out of the rows, one after the other, or back.
template <bool kOut>
void turnColumns(float* rows, std::int64_t count, std::int64_t rowStride, std::int64_t width, float* columns,
                 std::int64_t columnStride)
{
    for (std::int64_t tile = 0; tile < count; tile += kTile)
    {
        const std::int64_t end = std::min(count, tile + kTile);
        for (std::int64_t c = 0; c < width; ++c)
        {
            for (std::int64_t row = tile; row < end; ++row)
            {
                float* inRow = rows + row * rowStride + 2 * c;
                float* inColumn = columns + c * columnStride + 2 * row;
                std::memcpy(kOut ? inColumn : inRow, kOut ? inRow : inColumn, 2 * sizeof(float));
            }
        }
    }
}

/// (1 + r^2/a)^-a, or that less 1 without losing what is left of it.
double studentKernel(double square, bool shifted, double degrees)
{
    if (degrees == 1.0)
        return (shifted ? -square : 1.0) / (1.0 + square);
    const double exponent = -degrees * std::log1p(square / degrees);
    return shifted ? std::expm1(exponent) : std::exp(exponent);
}

} // namespace

/// Plans and memory; complex numbers are pairs of floats.
struct MeshConvolution::Plans
{
    fftwf_plan rowForward = nullptr;
    fftwf_plan rowBackward = nullptr;
    fftwf_plan columnForward = nullptr;
    fftwf_plan columnBackward = nullptr;
    Aligned<float> rows;                 ///< [used, columns] complex
    std::vector<Aligned<float>> scratch; ///< per worker: [kGroup + 1, side] complex, also one real row

    ~Plans()
    {
        const std::lock_guard lock(plannerMutex());
        for (const fftwf_plan plan : {rowForward, rowBackward, columnForward, columnBackward})
            fftwf_destroy_plan(plan);
    }

    float* scratchOf(int worker, std::int64_t side)
    {
        auto& memory = scratch[static_cast<std::size_t>(worker)];
        if (!memory)
            memory = floats(2 * (kGroup + 1) * side);
        return memory.get();
    }
};

MeshConvolution::MeshConvolution(std::int64_t side, double spacing, bool shifted, double degrees, int numThreads)
    : m_side(side), m_spacing(spacing), m_columns(blockCount(side / 2 + 1, kGroup) * kGroup),
      m_plans(std::make_unique<Plans>())
{
    HEADSCOPE_ASSERT(side % 2 == 0);
    m_plans->rows = floats(2 * used() * m_columns);
    const Aligned<float> work = floats(2 * kGroup * side);
    auto* complexRow = reinterpret_cast<fftwf_complex*>(m_plans->rows.get());
    auto* complexWork = reinterpret_cast<fftwf_complex*>(work.get());
    const int n = static_cast<int>(side);
    {
        const std::lock_guard lock(plannerMutex());
        // FFTW_ESTIMATE: measured plans may differ between runs, and so could the last bit.
        m_plans->rowForward = fftwf_plan_dft_r2c_1d(n, work.get(), complexRow, FFTW_ESTIMATE);
        m_plans->rowBackward = fftwf_plan_dft_c2r_1d(n, complexRow, work.get(), FFTW_ESTIMATE);
        // Out of place and contiguous: FFTW's quickest; the columns are turned into place by us.
        auto* complexOther = complexWork + side;
        m_plans->columnForward = fftwf_plan_dft_1d(n, complexWork, complexOther, FFTW_FORWARD, FFTW_ESTIMATE);
        m_plans->columnBackward = fftwf_plan_dft_1d(n, complexOther, complexWork, FFTW_BACKWARD, FFTW_ESTIMATE);
    }
    makeSpectrum(shifted, degrees, numThreads);
    makeSelfTable(numThreads);
}

MeshConvolution::~MeshConvolution() = default;

/// Transform of the sampled kernel, divided by the square of the splines' own transform (once for
/// spreading, once for reading back), so that potentials are exact at the nodes.
void MeshConvolution::makeSpectrum(bool shifted, double degrees, int numThreads)
{
    const std::int64_t half = m_side / 2 + 1;
    const std::int64_t stride = blockCount(half, 16) * 16; // every row aligned like the first, as the plan expects
    Aligned<float> kernel = floats(half * stride);
    Aligned<float> turned = floats(half * stride);
    const auto overRows = [&](const auto& body) {
        parallelFor(numThreads, half, kTile, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row)
                body(row);
        });
    };
    overRows([&](std::int64_t a) {
        for (std::int64_t b = 0; b < half; ++b)
        {
            const double x = static_cast<double>(b) * m_spacing;
            const double y = static_cast<double>(a) * m_spacing;
            kernel[sizeOf(a * stride + b)] = static_cast<float>(studentKernel(x * x + y * y, shifted, degrees));
        }
    });
    // A real, even kernel has a cosine transform, here row by row and then column by column.
    fftwf_plan plan = nullptr;
    {
        const std::lock_guard lock(plannerMutex());
        plan = fftwf_plan_r2r_1d(static_cast<int>(half), turned.get(), turned.get(), FFTW_REDFT00, FFTW_ESTIMATE);
    }
    const auto transform = [&](float* values) {
        overRows([&](std::int64_t a) { fftwf_execute_r2r(plan, values + a * stride, values + a * stride); });
    };
    transform(kernel.get());
    overRows([&](std::int64_t a) {
        for (std::int64_t b = 0; b < half; ++b)
            turned[sizeOf(a * stride + b)] = kernel[sizeOf(b * stride + a)];
    });
    transform(turned.get());
    {
        const std::lock_guard lock(plannerMutex());
        fftwf_destroy_plan(plan);
    }
    const auto nodes = splineWeights(0.0);
    std::vector<double> spline(sizeOf(half));
    for (std::int64_t k = 0; k < half; ++k)
    {
        for (int j = 0; j < kSplineOrder - 1; ++j)
        {
            spline[sizeOf(k)] += nodes[static_cast<std::size_t>(j)] *
                                 std::cos(2 * std::numbers::pi * static_cast<double>(k * (j - kSplineOrder / 2 + 1)) /
                                          static_cast<double>(m_side));
        }
    }
    m_spectrum.resize(sizeOf(half * half));
    const double scale = 1.0 / (static_cast<double>(m_side) * static_cast<double>(m_side));
    overRows([&](std::int64_t a) {
        for (std::int64_t b = 0; b < half; ++b)
        {
            const double both = spline[sizeOf(a)] * spline[sizeOf(b)];
            const auto value = static_cast<double>(turned[sizeOf(a * stride + b)]);
            m_spectrum[sizeOf(a * half + b)] = static_cast<float>(value * scale / (both * both));
        }
    });
}

/// Self terms by the same splines and the same kernel on the mesh: with g the mesh's answer to a
/// unit at one node, phi(tx, ty) = sum over node pairs of their weights times g at their distance.
void MeshConvolution::makeSelfTable(int numThreads)
{
    constexpr int kReach = kSplineOrder - 1;
    constexpr double kStep = 1e-6; // of the weights' numerical derivative, in double
    const std::int64_t centre = used() / 2;
    std::vector<float> grid(sizeOf(used() * used()));
    grid[sizeOf(centre * used() + centre)] = 1.0F;
    apply(grid.data(), used(), numThreads);
    using Lags = std::array<double, 2 * kReach + 1>;
    std::vector<Lags> together(kSelfSteps + 1); // sum_a w_a w_(a + lag)
    std::vector<Lags> sloped(kSelfSteps + 1);   // sum_a w'_a w_(a + lag)
    for (std::size_t s = 0; s < together.size(); ++s)
    {
        const double t = static_cast<double>(s) / kSelfSteps;
        const auto weights = splineWeights(t);
        const auto after = splineWeights(t + kStep);
        const auto before = splineWeights(t - kStep);
        for (std::size_t a = 0; a < weights.size(); ++a)
        {
            for (std::size_t b = 0; b < weights.size(); ++b)
            {
                together[s][b + kReach - a] += weights[a] * weights[b];
                sloped[s][b + kReach - a] += (after[a] - before[a]) / (2 * kStep) * weights[b];
            }
        }
    }
    m_self.clear();
    for (std::size_t sy = 0; sy < together.size(); ++sy)
    {
        for (std::size_t sx = 0; sx < together.size(); ++sx)
        {
            double potential = 0;
            double gradientX = 0;
            double gradientY = 0;
            for (std::size_t l = 0; l < together[sy].size(); ++l)
            {
                for (std::size_t m = 0; m < together[sx].size(); ++m)
                {
                    const std::int64_t row = centre + static_cast<std::int64_t>(l) - kReach;
                    const std::int64_t column = centre + static_cast<std::int64_t>(m) - kReach;
                    const auto g = static_cast<double>(grid[sizeOf(row * used() + column)]);
                    potential += together[sy][l] * together[sx][m] * g;
                    gradientX += together[sy][l] * sloped[sx][m] * g;
                    gradientY += sloped[sy][l] * together[sx][m] * g;
                }
            }
            for (const double value : {potential, gradientX, gradientY, 0.0})
                m_self.push_back(static_cast<float>(value));
        }
    }
}

MeshSelfTable MeshConvolution::selfTable() const
{
    return {m_self.data(), kSelfSteps};
}

/// A transformed column times a column of the spectrum, which is that of a real, even kernel and so
/// symmetric in both indices.
void MeshConvolution::multiplySpectrum(float* column, const float* factors) const
{
    const std::int64_t half = m_side / 2;
    for (std::int64_t k = 0; k <= half; ++k)
    {
        column[2 * k] *= factors[k];
        column[2 * k + 1] *= factors[k];
    }
    for (std::int64_t k = 1; k < half; ++k)
    {
        column[2 * (m_side - k)] *= factors[k];
        column[2 * (m_side - k) + 1] *= factors[k];
    }
}

void MeshConvolution::apply(float* grid, std::int64_t stride, int numThreads)
{
    const std::int64_t rows = used();
    const std::int64_t half = m_side / 2 + 1;
    if (m_plans->scratch.size() < static_cast<std::size_t>(numThreads))
        m_plans->scratch.resize(static_cast<std::size_t>(numThreads));
    const auto complexRow = [this](std::int64_t row) {
        return reinterpret_cast<fftwf_complex*>(m_plans->rows.get() + 2 * row * m_columns);
    };
    parallelForBlocks(numThreads, rows, 8, [&](const Block& block, int worker) {
        float* work = m_plans->scratchOf(worker, m_side);
        std::fill(work + rows, work + m_side, 0.0F);
        for (std::int64_t row = block.begin; row < block.end; ++row)
        {
            std::copy_n(grid + row * stride, rows, work);
            fftwf_execute_dft_r2c(m_plans->rowForward, work, complexRow(row));
        }
    });
    parallelForBlocks(numThreads, m_columns, kGroup, [&](const Block& group, int worker) {
        float* work = m_plans->scratchOf(worker, m_side);
        float* transformed = work + 2 * kGroup * m_side;
        const std::int64_t width = std::min(kGroup, half - group.begin);
        turnColumns<true>(m_plans->rows.get() + 2 * group.begin, rows, 2 * m_columns, width, work, 2 * m_side);
        for (std::int64_t c = 0; c < width; ++c)
        {
            float* column = work + 2 * c * m_side;
            std::fill(column + 2 * rows, column + 2 * m_side, 0.0F);
            fftwf_execute_dft(m_plans->columnForward, complexOf(column), complexOf(transformed));
            multiplySpectrum(transformed, m_spectrum.data() + (group.begin + c) * half);
            fftwf_execute_dft(m_plans->columnBackward, complexOf(transformed), complexOf(column));
        }
        turnColumns<false>(m_plans->rows.get() + 2 * group.begin, rows, 2 * m_columns, width, work, 2 * m_side);
    });
    parallelForBlocks(numThreads, rows, 8, [&](const Block& block, int worker) {
        float* work = m_plans->scratchOf(worker, m_side);
        for (std::int64_t row = block.begin; row < block.end; ++row)
        {
            fftwf_execute_dft_c2r(m_plans->rowBackward, complexRow(row), work);
            std::copy_n(work, rows, grid + row * stride);
        }
    });
}

std::int64_t MeshConvolution::sideFor(std::int64_t needed)
{
    const auto friendly = [](std::int64_t n) {
        for (n += n % 2;; n += 2)
        {
            std::int64_t rest = n;
            for (const std::int64_t prime : {2, 3, 5, 7})
            {
                while (rest % prime == 0)
                    rest /= prime;
            }
            if (rest == 1)
                return n;
        }
    };
    std::int64_t side = 128;
    while (side < needed)
        side = friendly(side + side * 2 / 25 + 1);
    return side;
}

} // namespace headscope
