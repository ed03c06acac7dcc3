// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/query_key_space.h"

#include "model/base/random.h"

#include <algorithm>
#include <cmath>

namespace headscope
{
namespace
{

/// Mean and spread of some rows, summed in double in their order.
struct Moments
{
    std::vector<double> mean;
    double spread = 0; ///< root mean square distance to the mean

    Moments(ConstMatrixView all, std::span<const std::int64_t> rows) : mean(static_cast<std::size_t>(all.cols()), 0.0)
    {
        const auto count = static_cast<double>(std::max<std::size_t>(1, rows.size()));
        for (const std::int64_t row : rows)
            for (std::size_t i = 0; i < mean.size(); ++i)
                mean[i] += static_cast<double>(all.row(row)[i]) / count;
        double sum = 0;
        for (const std::int64_t row : rows)
            for (std::size_t i = 0; i < mean.size(); ++i)
                sum += std::pow(static_cast<double>(all.row(row)[i]) - mean[i], 2) / count;
        spread = std::sqrt(sum);
    }
};

} // namespace

QueryKeySpace queryKeySpace(ConstMatrixView q, ConstMatrixView k, std::span<const std::int64_t> rows)
{
    const Moments queries(q, rows);
    const Moments keys(k, rows);
    QueryKeySpace space;
    if (queries.spread > 0 && keys.spread > 0)
        space.scale = std::sqrt(keys.spread / queries.spread);
    const auto count = std::ssize(rows);
    space.rows = MatrixF(2 * count, q.cols());
    for (std::int64_t i = 0; i < count; ++i)
    {
        const auto query = q.row(rows[static_cast<std::size_t>(i)]);
        const auto key = k.row(rows[static_cast<std::size_t>(i)]);
        for (std::size_t d = 0; d < query.size(); ++d)
        {
            const auto column = static_cast<std::int64_t>(d);
            space.rows(i, column) = static_cast<float>(space.scale * static_cast<double>(query[d]));
            space.rows(count + i, column) = static_cast<float>(
                (static_cast<double>(key[d]) - keys.mean[d]) / space.scale + space.scale * queries.mean[d]);
        }
    }
    return space;
}

std::vector<std::int64_t> drawnRows(std::int64_t count, std::int64_t n, std::uint64_t seed)
{
    constexpr std::uint64_t kStream = 0x726f7773; // "rows"
    auto order = permutation(count, CounterRandom(seed, kStream));
    order.resize(static_cast<std::size_t>(std::min(count, n)));
    std::ranges::sort(order);
    return order;
}

} // namespace headscope
