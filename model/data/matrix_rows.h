// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// Some rows of a matrix, in the given order: [chosen, cols].
[[nodiscard]] MatrixF takeRows(ConstMatrixView rows, std::span<const std::int64_t> chosen);

} // namespace headscope
