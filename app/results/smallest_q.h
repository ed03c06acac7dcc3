// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headscope
{

/// What a reader of q has to know where there are few permutations for many rows: a p of permutations is never below
/// 1 / (permutations + 1), so that the q of a row that alone is different cannot fall to 0.05. Empty where it can.
[[nodiscard]] std::string smallestQText(std::int64_t rows, std::int64_t permutations);

} // namespace headscope
