// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headscope
{

/// "98.4 MB": three digits, in powers of ten as file managers count.
[[nodiscard]] std::string bytesText(std::uint64_t bytes);

} // namespace headscope
