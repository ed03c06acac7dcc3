// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/network.h"

#include "model/base/job_context.h"
#include "model/kernels/vector_loops.h"
#include "model/net/forward/positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>

namespace headscope
{
namespace
{

Linear linearOf(Operations& ops, const Weights& weights, TensorKey key)
{
    const auto tensor = [&](bool bias) -> Tensor {
        key.bias = bias;
        const ConstMatrixView host = weights.stored(key);
        if (host.data() == nullptr)
            return {};
        return weights.isPacked(key) ? ops.packedView(host) : ops.view(host);
    };
    return {tensor(false), tensor(true)};
}

LayerTensors layerTensors(Operations& ops, const Weights& weights, std::int64_t layer)
{
    LayerTensors tensors;
    for (const TensorName& each : weights.config().traits().tensors)
        if (isLayerRole(each.role))
            tensors[each.role] = linearOf(ops, weights, {each.role, layer});
    return tensors;
}

/// Rows of the embedding table, scaled as the family does, with what is added to them, of two token types the first:
/// [T, Dm].
Result<MatrixF> embed(const Network& network, const StepInput& input)
{
    const Weights& weights = *network.weights;
    MatrixF x(static_cast<std::int64_t>(input.ids.size()), network.config().modelDim); // [T, Dm]
    const std::int64_t vocabulary = weights.embeddingRows(TensorRole::EmbedTokens);
    for (std::int64_t t = 0; t < x.rows(); ++t)
    {
        const std::int32_t id = input.ids[static_cast<std::size_t>(t)];
        if (id < 0 || id >= vocabulary)
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("token id: expected 0 to {}, found {}; the tokenizer does not belong to this model",
                            vocabulary - 1, id),
                {},
                {}};
        HEADSCOPE_CHECK(weights.embeddingRow(TensorRole::EmbedTokens, id, x.row(t)));
    }
    if (network.config().traits().embeddingScaled)
        for (float& number : x.values())
            number *= std::sqrt(static_cast<float>(x.cols()));
    if (network.config().tokenTypes > 0)
    {
        std::vector<float> type(static_cast<std::size_t>(x.cols()));
        HEADSCOPE_CHECK(weights.embeddingRow(TensorRole::EmbedTypes, 0, type));
        for (std::int64_t t = 0; t < x.rows(); ++t)
            addInto(x.row(t), type);
    }
    HEADSCOPE_CHECK(addPositions(network, input, x));
    return x;
}

/// The residual stream of embedded rows.
Tensor firstStream(Operations& ops, const Network& network, const MatrixF& embedded)
{
    const Tensor x = ops.upload(embedded.view()); // [T, Dm]
    return network.config().traits().embeddingNorm ? normed(ops, network.config(), x, network.embedNorm) : x;
}

/// All of a step's state but its residual stream.
StepState beginStep(Operations& ops, const Network& network, const StepInput& input, Pooling pooling)
{
    StepState state;
    state.packing.offsets = input.offsets;
    const auto numDocuments = static_cast<std::size_t>(state.packing.documents());
    for (std::size_t s = 0; s < numDocuments; ++s)
    {
        const std::int64_t begin = input.offsets[s];
        const std::int64_t end = input.offsets[s + 1];
        if (pooling == Pooling::Last)
            state.packing.picked.push_back(end - 1);
        else if (pooling == Pooling::First)
            state.packing.picked.push_back(begin);
        // An instruction as long as the text leaves its last token.
        const std::int64_t skipped = input.meanFrom.empty() ? 0 : input.meanFrom[s];
        state.meanFrom.push_back(std::min(begin + skipped, end - 1));
    }
    beginPositions(ops, network, state);
    return state;
}

/// Stage 3 of a layer that was run, with the final norm after the last one.
void finishLayer(Operations& ops, const Network& network, const LayerRun& run, StepState& state)
{
    const bool final = run.layer.value() + 1 == network.config().layers && network.config().traits().hasFinalNorm();
    if (run.taps.preNorm)
        run.sink(run.layer, Tap::PreNorm, state.pooled(ops, state.x));
    if (!run.taps.output)
        return;
    Tensor output = state.x; // [R, Dm]
    if (final)
    {
        // Only the mean needs the norm of every token.
        if (!state.packing.picked.empty())
            output = state.pooled(ops, state.x); // [S, Dm]
        output = normed(ops, network.config(), output, network.finalNorm);
        if (state.packing.picked.empty())
            output = state.pooled(ops, output); // [S, Dm]
    }
    else
        output = state.pooled(ops, output); // [S, Dm]
    run.sink(run.layer, Tap::Output, output);
}

void runLayer(Operations& ops, const Network& network, const LayerRun& run, StepState& state,
              const std::stop_token& stop)
{
    runTransformerLayer(ops, run, state);
    if (run.taps.needsMlp() && !stop.stop_requested())
        finishLayer(ops, network, run, state);
}

/// One pass over a step: which layers it computes, and what it takes from and leaves in a memory.
class Pass
{
public:
    Pass(Operations& ops, const Network& network, const TapPlan& plan, const TapSink& sink, const PassExtras& extras)
        : m_ops(ops), m_network(network), m_plan(plan), m_sink(sink), m_extras(extras),
          m_last(std::max(plan.lastLayer(), extras.watch != nullptr ? extras.watch->lastLayer() : -1)),
          m_same(network.firstEdited.value_or(network.config().layers))
    {}

    [[nodiscard]] std::int64_t last() const { return m_last; }

    void run(const StepInput& input, const MatrixF& embedded, const std::stop_token& stop)
    {
        StepState state = beginStep(m_ops, m_network, input, m_plan.pooling);
        LayerIndex layer(startLayer(input));
        if (layer.value() > 0)
        {
            m_extras.memory->replay(m_ops, layer.value(), m_plan, m_sink);
            state.x = m_ops.upload(m_extras.memory->stream(layer.value()).view()); // [T, Dm]
        }
        else
            state.x = firstStream(m_ops, m_network, embedded);
        if (m_extras.watch != nullptr && m_extras.watch->stream)
            m_extras.watch->stream(layer, StreamPoint::Start, state.x); // of a memory nothing was taken: firstLayer()
        for (; layer.value() <= m_last && !stop.stop_requested(); ++layer)
            runOne(layer, state, stop);
    }

private:
    std::int64_t startLayer(const StepInput& input)
    {
        if (m_extras.memory == nullptr)
            return 0;
        m_extras.memory->begin(input, m_plan, m_network.config().modelDim);
        const std::int64_t watched = m_extras.watch != nullptr ? m_extras.watch->firstLayer() : -1;
        const std::int64_t most = std::min(m_same, m_last);
        return m_extras.memory->start(watched >= 0 ? std::min(most, watched) : most, m_plan);
    }

    void runOne(LayerIndex layer, StepState& state, const std::stop_token& stop)
    {
        PassMemory* const memory = m_extras.memory;
        if (memory != nullptr && layer.value() <= m_same)
            memory->keepStream(m_ops, layer.value(), state.x);
        // The last layer may have computed the picked rows alone, which is not bit for bit a layer that goes on.
        TapSink keeping;
        if (memory != nullptr && layer.value() < m_same && layer.value() != m_last)
            keeping = [&](LayerIndex of, Tap tap, const Tensor& pooled) {
                memory->keepTap(m_ops, of, tap, pooled);
                m_sink(of, tap, pooled);
            };
        const AttentionWatch watch = m_extras.watch != nullptr ? m_extras.watch->of(layer) : AttentionWatch();
        const LayerRun run{.config = m_network.config(),
                           .weights = m_network.layers[layer.index()],
                           .layer = layer,
                           .taps = m_plan.layers[layer.index()],
                           .last = layer.value() == m_last,
                           .sink = keeping ? keeping : m_sink,
                           .watch = watch};
        runLayer(m_ops, m_network, run, state, stop);
    }

    Operations& m_ops;
    const Network& m_network;
    const TapPlan& m_plan;
    const TapSink& m_sink;
    const PassExtras& m_extras;
    std::int64_t m_last;
    std::int64_t m_same; ///< layers before it are those of the model's files
};

} // namespace

Result<Network> makeNetwork(Operations& ops, const Weights& weights)
{
    Network network;
    HEADSCOPE_CHECK(ops.guarded([&] {
        network.weights = &weights;
        for (std::int64_t layer = 0; layer < weights.loadedLayers(); ++layer)
            network.layers.push_back(layerTensors(ops, weights, layer));
        network.embedNorm = linearOf(ops, weights, {TensorRole::EmbedNorm});
        network.finalNorm = linearOf(ops, weights, {TensorRole::FinalNorm});
        if (weights.config().traits().relativeBias)
            network.distanceBias =
                std::make_shared<const MatrixF>(biasByDistance(weights.matrix({TensorRole::RelativeBias})));
        if (weights.config().traits().positions != PositionScheme::Rotary)
            return;
        const ModelConfig& config = weights.config();
        const auto factors = [&weights](TensorRole role) {
            const ConstMatrixView stored = weights.matrix({role});
            return std::span(stored.data(), static_cast<std::size_t>(stored.cols()));
        };
        RopeConfig rope = config.rope;
        if (rope.factorsInTensors)
        {
            const auto shorts = factors(TensorRole::RopeShortFactors);
            const auto longs = factors(TensorRole::RopeLongFactors);
            rope.shortFactors.assign(shorts.begin(), shorts.end());
            rope.longFactors.assign(longs.begin(), longs.end());
        }
        network.rotary.emplace(rope, config.maxPositions, config.rotaryDim(rope), factors(TensorRole::RopeFactors));
        if (const auto& windowed = config.windowedRope)
            network.windowedRotary.emplace(*windowed, config.maxPositions, config.rotaryDim(*windowed),
                                           std::span<const float>());
    }));
    return network;
}

Result<Network> editedNetwork(Operations& ops, const Network& plain, const ModelEdit& edit)
{
    const ModelConfig& config = plain.config();
    HEADSCOPE_CHECK(checkEdit(config, edit));
    Network network = plain;
    const std::int64_t first = edit.firstLayer(config);
    if (first == config.layers)
        return network;
    network.firstEdited = first;
    HEADSCOPE_CHECK(ops.guarded([&] {
        for (LayerIndex layer(first); layer.index() < network.layers.size(); ++layer)
            editLayer(ops, *network.weights, layer, edit, network.layers[layer.index()]);
    }));
    return network;
}

Result<LayerTensors> makeLayerTensors(Operations& ops, const Weights& weights, LayerIndex layer, const ModelEdit& edit)
{
    LayerTensors tensors;
    HEADSCOPE_CHECK(ops.guarded([&] {
        tensors = layerTensors(ops, weights, layer.value());
        editLayer(ops, weights, layer, edit, tensors);
    }));
    return tensors;
}

std::int64_t StepWatch::firstLayer() const
{
    if (stream)
        return 0;
    std::int64_t first = -1;
    for (const auto* layers : {&probabilityLayers, &vectorLayers})
        for (const std::int64_t layer : *layers)
            first = first < 0 ? layer : std::min(first, layer);
    return first;
}

std::int64_t StepWatch::lastLayer() const
{
    std::int64_t last = -1;
    for (const auto* layers : {&probabilityLayers, &vectorLayers})
        for (const std::int64_t layer : *layers)
            last = std::max(last, layer);
    return last;
}

AttentionWatch StepWatch::of(LayerIndex layer) const
{
    AttentionWatch watch;
    if (std::ranges::find(probabilityLayers, layer.value()) != probabilityLayers.end())
        watch.probabilities = [this, layer](DocumentIndex document, HeadIndex head, TokenIndex first,
                                            ConstMatrixView rows) {
            probabilities(layer, document, head, first, rows);
        };
    if (std::ranges::find(vectorLayers, layer.value()) != vectorLayers.end())
        watch.vectors = [this, layer](const AttentionVectors& found) { vectors(layer, found); };
    if (stream)
        watch.stream = [this, layer](StreamPoint point, const Tensor& x) { stream(layer, point, x); };
    return watch;
}

std::int64_t TapPlan::lastLayer() const
{
    std::int64_t last = -1;
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (layers[i].any())
            last = static_cast<std::int64_t>(i);
    return last;
}

Status runStep(Operations& ops, const Network& network, const StepInput& input, const TapPlan& plan,
               const TapSink& sink, const PassExtras& extras, const std::stop_token& stop)
{
    Pass pass(ops, network, plan, sink, extras);
    HEADSCOPE_ASSERT(pass.last() < static_cast<std::int64_t>(network.layers.size()));
    Result<MatrixF> embedded = MatrixF();
    HEADSCOPE_CHECK(ops.guarded([&] { embedded = embed(network, input); }));
    HEADSCOPE_CHECK(ops.guarded([&] {
        if (embedded)
            pass.run(input, *embedded, stop);
    }));
    if (!embedded)
        return std::move(embedded).error();
    if (stop.stop_requested())
        return JobContext::cancelled();
    return {};
}

Result<MatrixF> embedStep(Operations& ops, const Network& network, const StepInput& input)
{
    HEADSCOPE_TRY(MatrixF x, embed(network, input));
    HEADSCOPE_CHECK(ops.guarded([&] {
        const Tensor first = firstStream(ops, network, x);
        ops.download(first, {x.data(), static_cast<std::size_t>(x.rows() * x.cols())});
    }));
    return x;
}

Status runStepLayer(Operations& ops, const Network& network, const LayerTensors& weights, LayerIndex layer,
                    const StepInput& input, const TapPlan& plan, const TapSink& sink, MatrixF& x,
                    const std::stop_token& stop)
{
    HEADSCOPE_CHECK(ops.guarded([&] {
        StepState state = beginStep(ops, network, input, plan.pooling);
        state.x = ops.upload(x.view()); // [T, Dm]
        const AttentionWatch none;
        const LayerRun run{.config = network.config(),
                           .weights = weights,
                           .layer = layer,
                           .taps = plan.layers[layer.index()],
                           .last = layer.value() == plan.lastLayer(),
                           .sink = sink,
                           .watch = none};
        runLayer(ops, network, run, state, stop);
        if (!run.last)
            ops.download(state.x, {x.data(), static_cast<std::size_t>(x.rows() * x.cols())});
    }));
    if (stop.stop_requested())
        return JobContext::cancelled();
    return {};
}

Result<std::vector<float>> attentionProbabilities(Operations& ops, const Network& network,
                                                  std::span<const std::int32_t> ids, const std::stop_token& stop)
{
    const auto tokens = static_cast<std::int64_t>(ids.size());
    const ModelConfig& config = network.config();
    if (tokens == 0)
        return Error{ErrorCode::InvalidArgument, "expected a text with at least one token, found none", {}, {}};
    std::vector<float> values;
    try
    {
        values.resize(static_cast<std::size_t>(config.layers * config.heads * tokens * tokens)); // [L, H, T, T]
    }
    catch (const std::bad_alloc&)
    {
        return Error{ErrorCode::OutOfMemory,
                     fmt::format("the attention of {} tokens needs {} bytes, more than are available", tokens,
                                 4 * config.layers * config.heads * tokens * tokens),
                     {},
                     {}};
    }
    TapPlan plan;
    plan.layers.resize(static_cast<std::size_t>(config.layers));
    const StepInput input{{ids.begin(), ids.end()}, {0, tokens}, {}};
    StepWatch watch;
    watch.probabilityLayers.resize(static_cast<std::size_t>(config.layers));
    std::iota(watch.probabilityLayers.begin(), watch.probabilityLayers.end(), 0);
    watch.probabilities = [&](LayerIndex layer, DocumentIndex, HeadIndex head, TokenIndex first, ConstMatrixView rows) {
        const std::int64_t at = ((layer.value() * config.heads + head.value()) * tokens + first.value()) * tokens;
        std::copy_n(rows.data(), rows.rows() * tokens, values.begin() + at);
    };
    HEADSCOPE_CHECK(runStep(
        ops, network, input, plan, [](LayerIndex, Tap, const Tensor&) {}, {.watch = &watch}, stop));
    return values;
}

} // namespace headscope
