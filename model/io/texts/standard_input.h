// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstddef>
#include <span>

namespace headscope
{

/// What comes next on standard input, as soon as anything is there; waits for it.
/// @returns the bytes put into `into`; 0 at the end of the input
/// @errors  Resource
[[nodiscard]] Result<std::size_t> readStandardInput(std::span<std::byte> into);

} // namespace headscope
