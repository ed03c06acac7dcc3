// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/tensor_type.h"
#include "model/formats/gguf_metadata.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace headscope
{

/// Bytes of one value of a numeric or bool type; 0 for strings and arrays, whose size varies.
[[nodiscard]] std::size_t ggufTypeBytes(GgufType type);

/// The tensor type with that number in a GGUF file, if we can tell its size.
[[nodiscard]] std::optional<TensorType> tensorTypeFromGguf(std::uint32_t id);

/// What a number that tensorTypeFromGguf does not know means, for messages: "34 (TQ1_0)",
/// "4 (removed from the format)", "99".
[[nodiscard]] std::string unreadGgufTypeName(std::uint32_t id);

} // namespace headscope
