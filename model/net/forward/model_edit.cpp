// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/model_edit.h"

#include "model/kernels/weight_product.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace headscope
{
namespace
{

Error unfit(std::string message, std::string place)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, std::move(place)};
}

Status checkOff(const ModelConfig& config, const HeadsOff& off, std::size_t layer)
{
    for (const HeadIndex head : off.heads)
        if (head.value() < 0 || head.value() >= config.heads)
            return unfit(
                fmt::format("layer {}: expected heads 1 to {}, found {}", layer, config.heads, shownNumber(head)),
                "ablate");
    const auto wanted = off.heads.size() * static_cast<std::size_t>(config.headDim);
    if (!off.values.empty() && off.values.size() != wanted)
        return unfit(fmt::format("layer {}: expected {} numbers for {} heads, found {}", layer, wanted,
                                 off.heads.size(), off.values.size()),
                     "ablate");
    return {};
}

/// Rows of a projection, [KV Dh, Dm], or of its bias, [KV Dh, 1], brought to other heads: means of neighbours, or
/// repeats.
MatrixF regrouped(ConstMatrixView rows, std::int64_t headDim, std::int64_t groups)
{
    const std::int64_t before = rows.rows() / headDim;
    MatrixF made(groups * headDim, rows.cols());
    std::vector<double> sums(static_cast<std::size_t>(rows.cols()));
    for (std::int64_t row = 0; row < made.rows(); ++row)
    {
        const std::int64_t group = row / headDim;
        const std::int64_t first = group * before / groups;
        const std::int64_t joined = std::max<std::int64_t>(1, before / groups);
        std::ranges::fill(sums, 0.0);
        for (std::int64_t head = first; head < first + joined; ++head)
            std::ranges::transform(sums, rows.row(head * headDim + row % headDim), sums.begin(),
                                   [](double sum, float x) { return sum + static_cast<double>(x); });
        std::ranges::transform(sums, made.row(row).begin(),
                               [joined](double sum) { return static_cast<float>(sum / static_cast<double>(joined)); });
    }
    return made;
}

void regroupProjection(Operations& ops, const Weights& weights, TensorKey key, std::int64_t groups,
                       LayerTensors& tensors)
{
    Linear& matrix = tensors[key.role];
    const std::int64_t headDim = weights.config().headDim;
    const auto keep = [&](MatrixF made) -> ConstMatrixView {
        tensors.own.push_back(std::make_shared<const MatrixF>(std::move(made)));
        return tensors.own.back()->view();
    };
    MatrixF made = regrouped(weights.rowsOf(key).view(), headDim, groups);
    if (weights.isPacked(key))
    {
        packWeights(made.data(), made.rows(), made.cols());
        matrix.weight = ops.packedView(keep(std::move(made)));
    }
    else
        matrix.weight = ops.view(keep(std::move(made)));
    key.bias = true;
    const ConstMatrixView bias = weights.matrix(key); // [1, KV Dh]
    if (bias.data() == nullptr)
        return;
    const MatrixF column = regrouped({bias.data(), bias.cols(), 1}, headDim, groups);
    matrix.bias = ops.view(keep(MatrixF(1, column.rows(), column.values())));
}

} // namespace

std::int64_t ModelEdit::firstLayer(const ModelConfig& config) const
{
    const auto layers = static_cast<std::size_t>(config.layers);
    for (std::size_t layer = 0; layer < layers; ++layer)
    {
        const bool isOff = layer < off.size() && !off[layer].heads.empty();
        const bool isGrouped = layer < groups.size() && groups[layer] != 0 && groups[layer] != config.kvHeads;
        if (isOff || isGrouped)
            return static_cast<std::int64_t>(layer);
    }
    return config.layers;
}

std::vector<std::int64_t> possibleGroups(std::int64_t heads, std::int64_t kvHeads)
{
    std::vector<std::int64_t> possible;
    for (std::int64_t groups = 1; groups <= heads; ++groups)
        if (kvHeads % groups == 0 || (groups % kvHeads == 0 && heads % groups == 0))
            possible.push_back(groups);
    return possible;
}

Status checkEdit(const ModelConfig& config, const ModelEdit& edit)
{
    for (const std::size_t layers : {edit.off.size(), edit.groups.size()})
        if (layers != 0 && layers != static_cast<std::size_t>(config.layers))
            return unfit(fmt::format("expected an entry for each of the {} layers, found {}", config.layers, layers),
                         "ablate");
    for (std::size_t layer = 0; layer < edit.off.size(); ++layer)
        HEADSCOPE_CHECK(checkOff(config, edit.off[layer], layer));
    const auto possible = possibleGroups(config.heads, config.kvHeads);
    for (const std::int64_t groups : edit.groups)
        if (groups != 0 && std::ranges::find(possible, groups) == possible.end())
            return unfit(fmt::format("expected a number of KV groups to which the model's {} KV groups ({} heads) can "
                                     "be averaged or repeated ({}), found {}",
                                     config.kvHeads, config.heads, fmt::join(possible, ", "), groups),
                         "regroup");
    return {};
}

void editLayer(Operations& ops, const Weights& weights, LayerIndex layer, const ModelEdit& edit, LayerTensors& tensors)
{
    if (layer.index() < edit.groups.size())
    {
        const std::int64_t groups = edit.groups[layer.index()];
        if (groups != 0 && groups != weights.config().kvHeads) // else the bits of the model's own
        {
            regroupProjection(ops, weights, {TensorRole::K, layer.value(), false}, groups, tensors);
            regroupProjection(ops, weights, {TensorRole::V, layer.value(), false}, groups, tensors);
        }
    }
    if (layer.index() >= edit.off.size() || edit.off[layer.index()].heads.empty())
        return;
    const HeadsOff& off = edit.off[layer.index()];
    const std::int64_t headDim = weights.config().headDim;
    MatrixF values(std::ssize(off.heads), headDim);
    std::ranges::copy(off.values, values.data());
    tensors.own.push_back(std::make_shared<const MatrixF>(std::move(values)));
    for (std::int64_t i = 0; i < std::ssize(off.heads); ++i)
        tensors.set.push_back(
            {off.heads[static_cast<std::size_t>(i)], ops.view({tensors.own.back()->data() + i * headDim, 1, headDim})});
}

} // namespace headscope
