// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/forward/operations.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <stop_token>

namespace headscope
{

/// libtorch's operations. Only for the module (torch_module.h).
/// @param products  what matrices are multiplied in: float32, bfloat16 or half
[[nodiscard]] std::unique_ptr<Operations> makeTorchCompute(at::Device device, int threads, std::stop_token stop,
                                                           at::ScalarType products);

} // namespace headscope
