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

/// Tokens from `begin` to before `end`.
struct Window
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// The window that a row of weights was taken in, within the first `end` tokens. The model says nothing about its
/// window; but weights that are 0 where q and k alone give clearly more were masked.
Window windowOf(Numbers row, const std::vector<double>& plain, std::int64_t end)
{
    constexpr double kClearly = 1e-6;
    const auto isZero = [&](std::int64_t token) { return row[static_cast<std::size_t>(token)] == 0; };
    const auto anyClear = [&](std::int64_t begin, std::int64_t before) {
        return std::any_of(plain.begin() + begin, plain.begin() + before, [](double each) { return each > kClearly; });
    };
    Window window{0, end};
    while (window.begin < end && isZero(window.begin))
        ++window.begin;
    if (window.begin == end)
        return {0, end};
    while (isZero(window.end - 1))
        --window.end;
    if (!anyClear(0, window.begin))
        window.begin = 0;
    if (!anyClear(window.end, end))
        window.end = end;
    return window;
}

} // namespace

CellNumbers cellNumbers(const LayerVectors& vectors, const ModelInfo& model, HeadIndex head, TokenIndex reading,
                        TokenIndex read, bool causal, std::span<const float> row, const ScoreRule& rule)
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
    const double scale = std::sqrt(rule.scalar > 0 ? rule.scalar : static_cast<double>(size));
    std::vector<double> scores(static_cast<std::size_t>(count));
    for (std::int64_t token = 0; token < count; ++token)
    {
        const double score = product(query, partOf(vectors.k, token, group, size)) / scale;
        scores[static_cast<std::size_t>(token)] =
            (rule.softcap > 0 ? rule.softcap * std::tanh(score / rule.softcap) : score) +
            vectors.biasAt(head, reading, TokenIndex(token));
    }

    const Window all{0, causal ? reading.value() + 1 : count};
    std::vector<double> shares = softmax(scores, all.begin, all.end);
    const Window seen = row.empty() ? all : windowOf(row, shares, all.end);
    if (seen.begin > all.begin || seen.end < all.end)
        shares = softmax(scores, seen.begin, seen.end);

    CellNumbers cell;
    cell.bias = vectors.biasAt(head, reading, read);
    cell.scaled = scores[read.index()] - cell.bias;
    cell.dot = product(query, partOf(vectors.k, read.value(), group, size));
    cell.mayRead = read.value() >= seen.begin && read.value() < seen.end;
    cell.over = seen.end - seen.begin;
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
