// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/net/forward/network.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headscope
{

/// What is taken of the attention of a text.
struct AttentionRequest
{
    std::vector<std::int64_t> layers;        ///< whose weights are handed out
    std::optional<std::int64_t> vectorLayer; ///< whose queries, keys, values and outputs are

    /// The deepest of these; -1: none.
    [[nodiscard]] std::int64_t lastLayer() const;
};

/// The vectors of a layer in host memory, of every token; the heads side by side.
struct AttentionVectorRows
{
    MatrixF q; ///< [T, H Dh], after norms and rotation
    MatrixF k; ///< [T, KV Dh], likewise
    MatrixF v; ///< [T, KV Dh]
    MatrixF z; ///< [T, H Dh] stage 1
    /// [H, 2 D + 1], what is added to their scaled products by the distance of key and query (biasByDistance); null:
    /// nothing is.
    std::shared_ptr<const MatrixF> distanceBias = nullptr;
};

/// Takes the attention of a text while it is computed.
/// @threads one at a time
class AttentionSink
{
public:
    virtual ~AttentionSink() = default;
    /// Some rows [n, T] of a head: layer by layer, the rows of a head in order, masked entries 0.
    /// @errors end the run
    [[nodiscard]] virtual Status addRows(LayerIndex layer, HeadIndex head, TokenIndex first, ConstMatrixView rows) = 0;
    /// @errors end the run
    [[nodiscard]] virtual Status addVectors(LayerIndex layer, const AttentionVectorRows& vectors) = 0;
};

/// Runs one text through a model as far as attention is wanted.
/// @param ids      [T], at least one
/// @param network  its layers up to the deepest one that is wanted
/// @errors InvalidArgument (no token, ids or a length that the model does not have), those of the sink and of
///         ops.guarded(), Cancelled
/// @cost   memory: the activations of the text and some rows of attention, never T x T
[[nodiscard]] Status runAttention(Operations& ops, const Network& network, std::span<const std::int32_t> ids,
                                  const AttentionRequest& request, AttentionSink& sink, PassMemory* memory,
                                  JobContext& job, const std::stop_source& stop);

} // namespace headscope
