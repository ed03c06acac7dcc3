// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/matrix_rows.h"

#include <algorithm>
#include <cstddef>

namespace headscope
{

MatrixF takeRows(ConstMatrixView rows, std::span<const std::int64_t> chosen)
{
    MatrixF taken(std::ssize(chosen), rows.cols());
    for (std::int64_t i = 0; i < taken.rows(); ++i)
        std::ranges::copy(rows.row(chosen[static_cast<std::size_t>(i)]), taken.row(i).begin());
    return taken;
}

} // namespace headscope
