// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/positions.h"

#include "model/kernels/vector_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope
{

MatrixF biasByDistance(ConstMatrixView table)
{
    constexpr std::int64_t kFarthest = kFarthestDistance;
    constexpr std::int64_t kSingle = kRelativeBuckets / 4; // distances with a row of their own, in each direction
    const auto rowOf = [](std::int64_t distance) {
        const std::int64_t direction = distance > 0 ? kRelativeBuckets / 2 : 0;
        const std::int64_t away = std::abs(distance);
        if (away < kSingle)
            return direction + away;
        // Distances on a border of two rows belong to the farther one; the logarithm of one may fall short of it.
        constexpr double kRounding = 1e-9;
        const double steps = std::log(static_cast<double>(away) / kSingle) /
                             std::log(static_cast<double>(kFarthest) / kSingle) * kSingle;
        const auto step = static_cast<std::int64_t>(steps + kRounding);
        return direction + std::min(kSingle + step, kRelativeBuckets / 2 - 1);
    };
    MatrixF bias(table.cols(), 2 * kFarthest + 1);
    for (std::int64_t head = 0; head < bias.rows(); ++head)
        for (std::int64_t distance = -kFarthest; distance <= kFarthest; ++distance)
            bias(head, distance + kFarthest) = table(rowOf(distance), head);
    return bias;
}

Status addPositions(const Network& network, const StepInput& input, MatrixF& x)
{
    if (network.config().traits().positions != PositionScheme::Learned)
        return {};
    const std::optional<std::int64_t> padding = network.config().paddingPosition;
    const std::int64_t positions =
        network.weights->embeddingRows(TensorRole::EmbedPositions) - padding.value_or(-1) - 1;
    std::vector<float> place(static_cast<std::size_t>(x.cols()));
    for (std::size_t s = 0; s + 1 < input.offsets.size(); ++s)
    {
        const std::int64_t length = input.offsets[s + 1] - input.offsets[s];
        if (length > positions)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected at most {} tokens (the model's number of positions), found {}",
                                     positions, length),
                         {},
                         {}};
        std::int64_t next = padding.value_or(-1) + 1;
        for (std::int64_t t = input.offsets[s]; t < input.offsets[s + 1]; ++t)
        {
            const bool isPadding = padding && input.ids[static_cast<std::size_t>(t)] == *padding;
            HEADSCOPE_CHECK(
                network.weights->embeddingRow(TensorRole::EmbedPositions, isPadding ? *padding : next++, place));
            addInto(x.row(t), place);
        }
    }
    return {};
}

void beginPositions(Operations& ops, const Network& network, StepState& state)
{
    const auto tablesOf = [&](const std::optional<Rotary>& rotary) -> RotaryTables {
        if (!rotary)
            return {};
        MatrixF cosines, sines;
        rotary->tables(state.packing, cosines, sines);
        return {ops.upload(cosines.view()), ops.upload(sines.view())};
    };
    state.rotary = tablesOf(network.rotary);
    state.windowedRotary = tablesOf(network.windowedRotary);
    if (network.distanceBias)
        state.distanceBias = ops.upload(network.distanceBias->view());
}

void placeQueriesAndKeys(Operations& ops, const LayerRun& run, const StepState& state, Queries queries, Tensor& q,
                         Tensor& k)
{
    const ModelConfig& config = run.config;
    if (config.traits().positions != PositionScheme::Rotary)
        return;
    const bool windowed = config.windowedRope && config.windows[run.layer.index()] > 0;
    const RotaryTables& tables = windowed ? state.windowedRotary : state.rotary;
    if (queries == Queries::All)
        ops.rotate(q, tables.cosines, tables.sines, config.headDim);
    else
        ops.rotate(q, ops.selectRows(tables.cosines, state.packing.picked),
                   ops.selectRows(tables.sines, state.packing.picked), config.headDim);
    ops.rotate(k, tables.cosines, tables.sines, config.headDim);
}

} // namespace headscope
