// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/attention_pass.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace headscope
{
namespace
{

MatrixF onHost(Operations& ops, const Tensor& x)
{
    MatrixF host(x.rows(), x.cols());
    ops.download(x, host.values());
    return host;
}

/// Hands out what a pass gives, until the first failure, which stops it.
class Forwarding
{
public:
    Forwarding(AttentionSink& sink, JobContext& job, std::uint64_t layers, std::stop_source stop)
        : m_sink(sink), m_job(job), m_layers(layers), m_stop(std::move(stop))
    {}

    void rows(LayerIndex layer, HeadIndex head, TokenIndex first, ConstMatrixView rows)
    {
        if (!m_failure && m_at != layer)
        {
            m_job.report("attention", m_at ? ++m_done : 0, m_layers, "layers");
            m_at = layer;
        }
        take([&] { return m_sink.addRows(layer, head, first, rows); });
    }
    void vectors(LayerIndex layer, const AttentionVectorRows& found)
    {
        take([&] { return m_sink.addVectors(layer, found); });
    }
    [[nodiscard]] std::optional<Error>& failure() { return m_failure; }

private:
    template <class Adding>
    void take(const Adding& adding)
    {
        if (m_failure)
            return;
        if (Status status = adding(); !status)
        {
            m_failure = std::move(status).error();
            m_stop.request_stop();
        }
    }

    AttentionSink& m_sink;
    JobContext& m_job;
    std::uint64_t m_layers;
    std::stop_source m_stop;
    std::optional<LayerIndex> m_at;
    std::uint64_t m_done = 0;
    std::optional<Error> m_failure;
};

} // namespace

std::int64_t AttentionRequest::lastLayer() const
{
    const std::int64_t last = layers.empty() ? -1 : *std::ranges::max_element(layers);
    return std::max(last, vectorLayer.value_or(-1));
}

Status runAttention(Operations& ops, const Network& network, std::span<const std::int32_t> ids,
                    const AttentionRequest& request, AttentionSink& sink, PassMemory* memory, JobContext& job,
                    const std::stop_source& stop)
{
    if (ids.empty())
        return Error{ErrorCode::InvalidArgument, "expected a text with at least one token, found none", {}, {}};
    Forwarding forwarding(sink, job, request.layers.size(), stop);
    StepWatch watch;
    watch.probabilityLayers = request.layers;
    watch.probabilities = [&](LayerIndex layer, DocumentIndex, HeadIndex head, TokenIndex first, ConstMatrixView rows) {
        forwarding.rows(layer, head, first, rows);
    };
    if (request.vectorLayer)
        watch.vectorLayers = {*request.vectorLayer};
    watch.vectors = [&](LayerIndex layer, const AttentionVectors& found) {
        forwarding.vectors(layer, {onHost(ops, found.q), onHost(ops, found.k), onHost(ops, found.v),
                                   onHost(ops, found.z), network.distanceBias});
    };
    TapPlan plan;
    plan.layers.resize(static_cast<std::size_t>(network.config().layers));
    const StepInput input{{ids.begin(), ids.end()}, {0, std::ssize(ids)}, {}};
    Status status = runStep(
        ops, network, input, plan, [](LayerIndex, Tap, const Tensor&) {}, {.watch = &watch, .memory = memory},
        stop.get_token());
    if (forwarding.failure())
        return std::move(*forwarding.failure());
    return status;
}

} // namespace headscope
