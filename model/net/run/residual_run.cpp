// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/residual_run.h"

#include "model/net/run/extraction_run.h"
#include "model/net/run/packed_steps.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

/// The tokens of a step that vectors are taken from.
struct PooledTokens
{
    std::vector<std::int64_t> rows;       ///< of the step, ascending
    std::vector<std::int64_t> offsets{0}; ///< [S + 1] of a document's rows among them

    PooledTokens(const StepInput& input, Pooling pooling)
    {
        for (std::size_t s = 0; s + 1 < input.offsets.size(); ++s)
        {
            const std::int64_t end = input.offsets[s + 1];
            std::int64_t first = input.offsets[s];
            std::int64_t last = end - 1;
            if (pooling == Pooling::Last)
                first = last;
            else if (pooling == Pooling::First)
                last = first;
            else
                first = std::min(first + input.meanFrom[s], last); // as the network's mean (network.cpp)
            for (std::int64_t row = first; row <= last; ++row)
                rows.push_back(row);
            offsets.push_back(std::ssize(rows));
        }
    }
};

/// Collects the traces of the documents of one step.
class TraceCollector
{
public:
    TraceCollector(Operations& ops, const PackedDocuments& step, Pooling pooling, std::int64_t layers)
        : m_ops(ops), m_tokens(step.input, pooling), m_traces(step.documents.size())
    {
        for (ResidualTrace& trace : m_traces)
            trace.layers.resize(static_cast<std::size_t>(layers));
    }

    [[nodiscard]] StepWatch watch(std::int64_t layers)
    {
        StepWatch watch;
        watch.vectorLayers.resize(static_cast<std::size_t>(layers));
        std::iota(watch.vectorLayers.begin(), watch.vectorLayers.end(), 0);
        watch.vectors = [this](LayerIndex layer, const AttentionVectors& found) {
            take(found.z, [layer](ResidualTrace& trace) -> MatrixF& { return trace.layers[layer.index()].heads; });
        };
        watch.stream = [this](LayerIndex layer, StreamPoint point, const Tensor& x) {
            take(x, [layer, point](ResidualTrace& trace) -> MatrixF& {
                if (point == StreamPoint::Start)
                    return trace.start;
                ResidualTrace::Layer& own = trace.layers[layer.index()];
                return point == StreamPoint::Attention ? own.attention : own.mlp;
            });
        };
        return watch;
    }

    void takeEmbeddings(const Tensor& pooled)
    {
        MatrixF rows(pooled.rows(), pooled.cols());
        m_ops.download(pooled, rows.values());
        for (std::size_t s = 0; s < m_traces.size(); ++s)
        {
            const auto row = rows.row(static_cast<std::int64_t>(s));
            m_traces[s].embedding.assign(row.begin(), row.end());
        }
    }

    [[nodiscard]] const ResidualTrace& trace(std::size_t s) const { return m_traces[s]; }

private:
    /// Gives each document its rows.
    template <class Place>
    void take(const Tensor& all, const Place& place)
    {
        const Tensor chosen = m_ops.selectRows(all, m_tokens.rows);
        MatrixF host(chosen.rows(), chosen.cols());
        m_ops.download(chosen, host.values());
        for (std::size_t s = 0; s < m_traces.size(); ++s)
        {
            MatrixF own(m_tokens.offsets[s + 1] - m_tokens.offsets[s], host.cols());
            std::copy_n(host.data() + m_tokens.offsets[s] * host.cols(), own.values().size(), own.data());
            place(m_traces[s]) = std::move(own);
        }
    }

    Operations& m_ops;
    PooledTokens m_tokens;
    std::vector<ResidualTrace> m_traces; ///< [S]
};

} // namespace

Status traceResiduals(const ExtractionSetup& setup, std::span<const TokenizedDocument> documents, const TraceSink& sink,
                      JobContext& job)
{
    const auto steps = packDocuments(documents, stepTokensOf(setup.options));
    const std::int64_t layers = setup.network.config().layers;
    std::mutex mutex; // guards the following and the job's progress
    std::uint64_t done = 0;
    const auto work = [&](Operations& ops, const PackedDocuments& step, const std::stop_token& stop) -> Status {
        TraceCollector collector(ops, step, setup.options.pooling, layers);
        const StepWatch watch = collector.watch(layers);
        const TapSink embeddings = [&](LayerIndex, Tap, const Tensor& pooled) { collector.takeEmbeddings(pooled); };
        HEADSCOPE_CHECK(runStep(ops, setup.network, step.input, setup.plan, embeddings, {.watch = &watch}, stop));
        HEADSCOPE_CHECK(setup.network.weights->checkUnchanged());
        for (std::size_t s = 0; s < step.documents.size(); ++s)
            HEADSCOPE_CHECK(sink(step.documents[s], collector.trace(s)));
        const std::scoped_lock lock(mutex);
        done += step.documents.size();
        job.report("running the model", done, documents.size(), "documents");
        return {};
    };
    return runPackedSteps(setup.options, steps, work, job);
}

} // namespace headscope
