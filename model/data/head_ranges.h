// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Reads "1-4,9" (numbers from 1, as shown to people) as 0-based indices, ascending, without
/// repeats. "all" and "" mean all of them.
/// @errors WrongUse, naming the piece that is not understood; InvalidArgument, naming one that is
///         above count
[[nodiscard]] Result<std::vector<std::int64_t>> parseHeadRanges(std::string_view text, std::int64_t count);

/// Ascending numbers as people read them: {0,1,2,8} -> "0-2,8".
[[nodiscard]] std::string formatRanges(std::span<const std::int64_t> numbers);

/// The shortest text that parseHeadRanges reads back: {0,1,2,3,8} -> "1-4,9".
[[nodiscard]] std::string formatHeadRanges(std::span<const std::int64_t> heads);

} // namespace headscope
