// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/matrix.h"

#include <fmt/format.h>

#include <cstdint>

namespace headscope
{

/// @errors ShapeMismatch: not [points, 2]
[[nodiscard]] inline Status expectMap(std::int64_t points, ConstMatrixView xy)
{
    if (xy.rows() == points && xy.cols() == 2)
        return {};
    return Error{ErrorCode::ShapeMismatch,
                 fmt::format("expected a map of shape [{}, 2], found [{}, {}]", points, xy.rows(), xy.cols()),
                 {},
                 {}};
}

} // namespace headscope
