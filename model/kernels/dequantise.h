// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/tensor_type.h"

#include <cstddef>
#include <span>

namespace headscope
{

/// Turns stored numbers into float32: exact for F32, F16 and BF16, rounded once for F64; quantised
/// blocks by their formula, in float32 with one rounding per operation, so that the bits do not
/// depend on the machine.
///
/// @param type  a type that tensorTypeInfo calls readable
/// @param from  whole blocks, little-endian, at any alignment
/// @param to    as many floats as `from` holds numbers
/// @errors  Unsupported (the type is not readable), InvalidArgument (the sizes do not fit together)
/// @threads reentrant; large tensors are cut into rows by the caller
/// @cost    O(numbers), no allocation
/// @source  block layouts of GGUF v3
[[nodiscard]] Status dequantise(TensorType type, std::span<const std::byte> from, std::span<float> to);

} // namespace headscope
