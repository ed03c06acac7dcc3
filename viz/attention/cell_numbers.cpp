// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/cell_numbers.h"

#include "model/base/assert.h"
#include "viz/attention/shown_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headscope::viz
{
namespace
{

using Numbers = std::span<const float>;

double product(Numbers a, Numbers b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

/// What a row keeps of a head or group.
Numbers partOf(const MatrixF& rows, std::int64_t row, std::int64_t part, std::int64_t size)
{
    return rows.row(row).subspan(static_cast<std::size_t>(part * size), static_cast<std::size_t>(size));
}

/// @return [T] exp(score - largest) / sum over the tokens from `begin` to before `end`
std::vector<double> softmax(const std::vector<double>& scores, std::int64_t begin, std::int64_t end)
{
    std::vector<double> shares(scores.size());
    double most = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = begin; i < end; ++i)
        most = std::max(most, scores[static_cast<std::size_t>(i)]);
    double sum = 0;
    for (std::int64_t i = begin; i < end; ++i)
        sum += shares[static_cast<std::size_t>(i)] = std::exp(scores[static_cast<std::size_t>(i)] - most);
    for (double& share : shares)
        share /= sum;
    return shares;
}

/// Where the window begins that a row of weights was taken in. The model says nothing about its window; but weights
/// that are 0 where q and k alone give clearly more were masked.
std::int64_t windowBegin(Numbers row, const std::vector<double>& plain, std::int64_t end)
{
    constexpr double kClearly = 1e-6;
    std::int64_t first = 0;
    while (first < end && row[static_cast<std::size_t>(first)] == 0)
        ++first;
    const bool masked = std::any_of(plain.begin(), plain.begin() + first, [](double each) { return each > kClearly; });
    return masked && first < end ? first : 0;
}

} // namespace

CellNumbers cellNumbers(const LayerVectors& vectors, const ModelInfo& model, HeadIndex head, TokenIndex reading,
                        TokenIndex read, bool causal, std::span<const float> row)
{
    const std::int64_t count = vectors.q.rows();
    const std::int64_t size = model.heads > 0 ? vectors.q.cols() / model.heads : 0;
    HEADSCOPE_ASSERT(size > 0 && head.value() >= 0 && head.value() < model.heads);
    HEADSCOPE_ASSERT(reading.value() >= 0 && reading.value() < count && read.value() >= 0 && read.value() < count);
    HEADSCOPE_ASSERT(row.empty() || static_cast<std::int64_t>(row.size()) == count);
    const std::int64_t groups = vectors.k.cols() / size;
    HEADSCOPE_ASSERT(groups > 0 && model.heads % groups == 0);
    const std::int64_t group = head.value() / (model.heads / groups);
    const Numbers query = partOf(vectors.q, reading.value(), head.value(), size);
    const double scale = std::sqrt(static_cast<double>(size));
    std::vector<double> scores(static_cast<std::size_t>(count));
    for (std::int64_t token = 0; token < count; ++token)
        scores[static_cast<std::size_t>(token)] = product(query, partOf(vectors.k, token, group, size)) / scale;

    const std::int64_t end = causal ? reading.value() + 1 : count;
    std::vector<double> shares = softmax(scores, 0, end);
    const std::int64_t begin = row.empty() ? 0 : windowBegin(row, shares, end);
    if (begin > 0)
        shares = softmax(scores, begin, end);

    CellNumbers cell;
    cell.scaled = scores[read.index()];
    cell.dot = cell.scaled * scale;
    cell.mayRead = read.value() >= begin && read.value() < end;
    cell.over = end - begin;
    cell.computed = shares[read.index()];
    cell.weight = row.empty() ? cell.computed : static_cast<double>(row[read.index()]);
    cell.first = row.empty() ? shares[0] : static_cast<double>(row[0]);
    const double factor = row.empty() ? factorWithoutFirst(std::span<const double>(shares)) : factorWithoutFirst(row);
    cell.withoutFirst =
        read.value() == 0 || factor == 0 ? std::numeric_limits<double>::quiet_NaN() : cell.weight * factor;
    const Numbers value = partOf(vectors.v, read.value(), group, size);
    const Numbers output = partOf(vectors.z, reading.value(), head.value(), size);
    cell.valueLength = std::sqrt(product(value, value));
    const double square = product(output, output);
    cell.outputLength = std::sqrt(square);
    cell.share = square > 0 ? cell.weight * product(value, output) / square : std::numeric_limits<double>::quiet_NaN();
    return cell;
}

} // namespace headscope::viz
