// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/positions.h"

#include "model/kernels/vector_loops.h"

#include <fmt/format.h>

namespace headscope
{

Status addPositions(const Network& network, const StepInput& input, MatrixF& x)
{
    if (network.config().traits().positions != PositionScheme::Learned)
        return {};
    const std::int64_t positions = network.weights->embeddingRows(TensorRole::EmbedPositions);
    std::vector<float> place(static_cast<std::size_t>(x.cols()));
    for (std::size_t s = 0; s + 1 < input.offsets.size(); ++s)
    {
        const std::int64_t length = input.offsets[s + 1] - input.offsets[s];
        if (length > positions)
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("expected at most {} tokens, the positions of the model, found {}", positions, length),
                {},
                {}};
        for (std::int64_t position = 0; position < length; ++position)
        {
            HEADSCOPE_CHECK(network.weights->embeddingRow(TensorRole::EmbedPositions, position, place));
            addInto(x.row(input.offsets[s] + position), place);
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
