// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/matrix_rows.h"

#include "model/base/numbers/all_finite.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace headscope
{

MatrixF takeRows(ConstMatrixView rows, std::span<const std::int64_t> chosen)
{
    MatrixF taken(std::ssize(chosen), rows.cols());
    for (std::int64_t i = 0; i < taken.rows(); ++i)
        std::ranges::copy(rows.row(chosen[static_cast<std::size_t>(i)]), taken.row(i).begin());
    return taken;
}

std::vector<std::int64_t> finiteRows(ConstMatrixView rows)
{
    std::vector<std::int64_t> finite;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        if (allFinite(rows.row(i)))
            finite.push_back(i);
    return finite;
}

bool rowsVary(ConstMatrixView rows)
{
    for (std::int64_t i = 1; i < rows.rows(); ++i)
        if (!std::ranges::equal(rows.row(i), rows.row(0)))
            return true;
    return false;
}

} // namespace headscope
