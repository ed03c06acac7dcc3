// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace headscope::report
{

/// The bytes in base64, padded, without line ends.
/// @threads reentrant
/// @source RFC 4648, section 4
[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

} // namespace headscope::report
