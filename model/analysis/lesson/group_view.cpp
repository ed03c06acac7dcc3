// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/lesson/group_view.h"

#include "model/analysis/tsne/principal_components.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace headscope
{
namespace
{

struct Sizes
{
    std::int64_t tokens = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
};

Result<Sizes> sizesOf(const AttentionRun& run, const LayerVectors& vectors)
{
    Sizes sizes{run.tokenCount(), run.model.heads, run.model.kvHeads > 0 ? run.model.kvHeads : run.model.heads, 0};
    const auto fits = [&](const MatrixF& matrix, std::int64_t heads) {
        return matrix.rows() == sizes.tokens && matrix.cols() == heads * sizes.headDim;
    };
    sizes.headDim = sizes.heads > 0 ? vectors.q.cols() / sizes.heads : 0;
    if (sizes.headDim < 1 || sizes.heads % sizes.kvHeads != 0 || !fits(vectors.q, sizes.heads) ||
        !fits(vectors.k, sizes.kvHeads) || !fits(vectors.v, sizes.kvHeads) || !fits(vectors.z, sizes.heads))
        return Error{ErrorCode::InvalidArgument, "expected queries, keys, values and outputs of every token", {}, {}};
    return sizes;
}

std::span<const float> part(const MatrixF& matrix, std::int64_t row, std::int64_t index, std::int64_t dims)
{
    return matrix.row(row).subspan(static_cast<std::size_t>(index * dims), static_cast<std::size_t>(dims));
}

double dot(std::span<const float> a, std::span<const float> b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

/// Scores and weights of all heads of the view.
void score(GroupView& view, const LayerVectors& vectors, const Sizes& sizes, std::int64_t group, std::int64_t token)
{
    const auto count = static_cast<std::int64_t>(view.heads.size());
    view.scores = MatrixD(count, view.keys);
    view.weights = MatrixD(count, view.keys);
    for (std::int64_t row = 0; row < count; ++row)
    {
        const auto query = part(vectors.q, token, view.heads[static_cast<std::size_t>(row)], sizes.headDim);
        double most = -std::numeric_limits<double>::infinity();
        for (std::int64_t key = 0; key < view.keys; ++key)
        {
            view.scores(row, key) =
                dot(query, part(vectors.k, key, group, sizes.headDim)) / std::sqrt(static_cast<double>(sizes.headDim));
            most = std::max(most, view.scores(row, key));
        }
        double sum = 0;
        for (std::int64_t key = 0; key < view.keys; ++key)
            sum += view.weights(row, key) = std::exp(view.scores(row, key) - most);
        for (std::int64_t key = 0; key < view.keys; ++key)
            view.weights(row, key) /= sum;
    }
}

/// How far the outputs are from the weighted means of the values.
double deviationOf(const GroupView& view, const LayerVectors& vectors, const Sizes& sizes, std::int64_t group,
                   std::int64_t token)
{
    double worst = 0;
    for (std::size_t row = 0; row < view.heads.size(); ++row)
    {
        const auto output = part(vectors.z, token, view.heads[row], sizes.headDim);
        double off = 0;
        for (std::int64_t d = 0; d < sizes.headDim; ++d)
        {
            double mixed = 0;
            for (std::int64_t key = 0; key < view.keys; ++key)
                mixed += view.weights(static_cast<std::int64_t>(row), key) *
                         static_cast<double>(part(vectors.v, key, group, sizes.headDim)[static_cast<std::size_t>(d)]);
            const double difference = static_cast<double>(output[static_cast<std::size_t>(d)]) - mixed;
            off += difference * difference;
        }
        const double length = dot(output, output);
        worst = std::max(worst, length > 0 ? std::sqrt(off / length) : off > 0 ? 1.0 : 0.0);
    }
    return worst;
}

/// Values and outputs in the plane of the values.
Status project(GroupView& view, const LayerVectors& vectors, const Sizes& sizes, std::int64_t group, std::int64_t token,
               JobContext& job)
{
    MatrixF values(view.keys, sizes.headDim);
    for (std::int64_t key = 0; key < view.keys; ++key)
        std::ranges::copy(part(vectors.v, key, group, sizes.headDim), values.row(key).begin());
    const std::int64_t count = std::min<std::int64_t>(2, sizes.headDim);
    HEADSCOPE_TRY(const PrincipalComponents plane, principalComponents(values.view(), {}, count, 1, job));
    const auto place = [&](std::span<const float> vector, MatrixD& into, std::int64_t row) {
        for (std::int64_t axis = 0; axis < count; ++axis)
            for (std::int64_t d = 0; d < sizes.headDim; ++d)
                into(row, axis) += (static_cast<double>(vector[static_cast<std::size_t>(d)]) -
                                    plane.mean[static_cast<std::size_t>(d)]) *
                                   plane.directions(axis, d);
    };
    view.values = MatrixD(view.keys, 2);
    view.outputs = MatrixD(static_cast<std::int64_t>(view.heads.size()), 2);
    double total = 0;
    for (std::int64_t key = 0; key < view.keys; ++key)
    {
        place(values.row(key), view.values, key);
        for (std::int64_t d = 0; d < sizes.headDim; ++d)
        {
            const double off = static_cast<double>(values(key, d)) - plane.mean[static_cast<std::size_t>(d)];
            total += off * off;
        }
    }
    for (std::size_t row = 0; row < view.heads.size(); ++row)
        place(part(vectors.z, token, view.heads[row], sizes.headDim), view.outputs, static_cast<std::int64_t>(row));
    double kept = 0;
    for (const double value : view.values.values())
        kept += value * value;
    view.share = total > 0 ? std::min(1.0, kept / total) : 1;
    return {};
}

} // namespace

Result<GroupView> groupView(const AttentionRun& run, const LayerVectors& vectors, std::int64_t group,
                            std::int64_t token, JobContext& job)
{
    HEADSCOPE_TRY(const Sizes sizes, sizesOf(run, vectors));
    if (group < 0 || group >= sizes.kvHeads || token < 0 || token >= sizes.tokens)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a group from 0 to {} and a token from 0 to {}, found group {} and token {}",
                                 sizes.kvHeads - 1, sizes.tokens - 1, group, token),
                     {},
                     {}};
    GroupView view;
    const std::int64_t members = sizes.heads / sizes.kvHeads;
    view.heads.resize(static_cast<std::size_t>(members));
    std::iota(view.heads.begin(), view.heads.end(), group * members);
    view.keys = run.causal ? token + 1 : sizes.tokens;
    score(view, vectors, sizes, group, token);
    view.deviation = deviationOf(view, vectors, sizes, group, token);
    HEADSCOPE_CHECK(project(view, vectors, sizes, group, token, job));
    return view;
}

double movedAttention(ConstMatrixView weights, ConstMatrixView other)
{
    if (weights.rows() < 2 || weights.rows() != other.rows() || weights.cols() != other.cols())
        return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (std::int64_t row = 1; row < weights.rows(); ++row)
        for (std::int64_t column = 0; column < weights.cols(); ++column)
            sum += std::abs(static_cast<double>(weights(row, column)) - static_cast<double>(other(row, column))) / 2;
    return sum / static_cast<double>(weights.rows() - 1);
}

} // namespace headscope
