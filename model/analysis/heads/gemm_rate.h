// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope
{

/// The speed of matrix products on this machine: the upper bound for every heavy analysis.
struct ProductSpeed
{
    std::string library; ///< the library used, with its version
    double gflops = 0;   ///< billions of float32 operations a second, a multiply-add counted as two
};

/// Multiplies 768 x 768 matrices on each of `numThreads` threads independently; the best of several runs.
/// @threads uses `numThreads` threads
/// @cost    about a tenth of a second
[[nodiscard]] ProductSpeed measureProducts(int numThreads);

} // namespace headscope
