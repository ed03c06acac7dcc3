// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/gemm_rate.h"

#include "model/base/clock.h"
#include "model/base/parallel.h"
#include "model/data/matrix.h"
#include "model/kernels/gemm.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headscope
{

ProductSpeed measureProducts(int numThreads)
{
    constexpr std::int64_t kSide = 768;
    constexpr int kTries = 4;
    constexpr std::int64_t kProducts = 4; // of each thread in a try
    const MatrixF operand(kSide, kSide, std::vector<float>(static_cast<std::size_t>(kSide * kSide), 0.5F));
    std::vector<MatrixF> results(static_cast<std::size_t>(numThreads), MatrixF(kSide, kSide));
    ProductSpeed speed{productLibrary(), 0};
    for (int attempt = 0; attempt < kTries; ++attempt) // the first one makes the kernels
    {
        const auto start = Clock::now();
        parallelForBlocks(numThreads, numThreads * kProducts, 1, [&](const Block&, int worker) {
            gemmNT(kSide, kSide, kSide, 1.0F, operand.data(), kSide, operand.data(), kSide, 0.0F,
                   results[static_cast<std::size_t>(worker)].data(), kSide);
        });
        const double seconds = secondsSince(start);
        const double operations = static_cast<double>(2 * kSide * kSide * kSide * numThreads * kProducts);
        speed.gflops = std::max(speed.gflops, operations / seconds / 1e9);
    }
    return speed;
}

} // namespace headscope
