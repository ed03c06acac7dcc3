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
    if (!network.rotary)
        return;
    MatrixF cosines, sines;
    network.rotary->tables(state.packing, cosines, sines);
    state.cosines = ops.upload(cosines.view()); // [T, Dh / 2]
    state.sines = ops.upload(sines.view());     // [T, Dh / 2]
}

void placeQueriesAndKeys(Operations& ops, const ModelConfig& config, const StepState& state, Queries queries, Tensor& q,
                         Tensor& k)
{
    if (config.traits().positions != PositionScheme::Rotary)
        return;
    if (queries == Queries::All)
        ops.rotate(q, state.cosines, state.sines);
    else
        ops.rotate(q, ops.selectRows(state.cosines, state.packing.picked),
                   ops.selectRows(state.sines, state.packing.picked));
    ops.rotate(k, state.cosines, state.sines);
}

} // namespace headscope
