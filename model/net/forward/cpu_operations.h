// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/forward/operations.h"

#include <memory>
#include <stop_token>

namespace headscope
{

/// The operations in plain memory on the calling thread: oneDNN products on fixed blocks, SIMD
/// loops between them, attention per document and head without padding.
///
/// The results depend on the shapes alone, so a caller that cuts its work the same way gets the
/// same bits on any number of threads.
/// @param precision  float32, or bfloat16 for the factors of the products with weights alone: they are rounded,
///              sums and everything else stay float32. Needs hasBfloat16Products() of gemm_bf16.h
/// @param stop  polled at least every 50 ms of work; once it is requested the products are left
///              out and the numbers are worthless, which the caller is to find out by asking too
[[nodiscard]] std::unique_ptr<Operations> makeCpuOperations(std::stop_token stop, Precision precision = Precision::F32);

} // namespace headscope
