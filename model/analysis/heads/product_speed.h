// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope
{

/// What matrix products reach on this machine: the roof of every heavy analysis.
struct ProductSpeed
{
    std::string library; ///< what multiplies, with its version
    double gflops = 0;   ///< billions of float32 operations a second, a multiply-add counted as two
};

/// Multiplies matrices of 768 x 768 on so many threads, each for itself, and keeps the best of several
/// tries.
/// @threads uses `numThreads` threads
/// @cost    about a tenth of a second
[[nodiscard]] ProductSpeed measureProducts(int numThreads);

} // namespace headscope
