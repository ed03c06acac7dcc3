// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Some rows of a matrix, in the given order: [chosen, cols].
[[nodiscard]] MatrixF takeRows(ConstMatrixView rows, std::span<const std::int64_t> chosen);

/// Rows without NaN and infinity, ascending.
[[nodiscard]] std::vector<std::int64_t> finiteRows(ConstMatrixView rows);

/// Whether not all rows are equal. Asked of the numbers as they are: rounding of their mean would leave a variance that
/// is none.
[[nodiscard]] bool rowsVary(ConstMatrixView rows);

} // namespace headscope
