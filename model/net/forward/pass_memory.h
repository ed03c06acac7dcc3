// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/net/forward/layer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace headscope
{

struct StepInput;
struct TapPlan;

/// What passes over one step have in common as far as their layers are the same: the residual stream in front of every
/// layer, and the taps. A pass with other heads off begins at the first of their layers, with the bits of a whole one.
/// @threads one at a time
class PassMemory
{
public:
    static constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

    /// @param mostBytes  of the streams; those of a longer step are not kept
    explicit PassMemory(std::uint64_t mostBytes = kMaxBytes) : m_mostBytes(mostBytes) {}

    /// Forgets what is of another step, and taps that are pooled otherwise than those that are wanted.
    /// @param modelDim  Dm
    void begin(const StepInput& input, const TapPlan& plan, std::int64_t modelDim);
    /// The deepest layer up to `most` from which on a pass with these taps can go on; 0: it starts over.
    [[nodiscard]] std::int64_t start(std::int64_t most, const TapPlan& plan) const;
    /// The stream in front of a layer that start() has given, [T, Dm]; not of layer 0.
    [[nodiscard]] const MatrixF& stream(std::int64_t layer) const { return m_streams.at(layer); }
    /// Hands the taps of the layers before this one to the sink, in their order.
    void replay(Operations& ops, std::int64_t layer, const TapPlan& plan, const TapSink& sink) const;

    /// Keeps the stream in front of a layer whose predecessors are those of the model.
    void keepStream(Operations& ops, std::int64_t layer, const Tensor& x);
    /// Keeps a tap of such a layer.
    void keepTap(Operations& ops, LayerIndex layer, Tap tap, const Tensor& pooled);

private:
    [[nodiscard]] bool hasTaps(std::int64_t layer, const LayerTaps& taps) const;

    std::uint64_t m_mostBytes;
    bool m_keeps = false;
    std::vector<std::int32_t> m_ids;
    std::vector<std::int64_t> m_offsets;
    std::vector<std::int64_t> m_meanFrom;
    Pooling m_pooling = Pooling::Last;
    std::map<std::int64_t, MatrixF> m_streams;
    std::map<std::pair<std::int64_t, Tap>, MatrixF> m_taps;
};

} // namespace headscope
