// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/head_watch.h"

#include "model/base/parallel.h"
#include "model/base/thrown_error.h"
#include "model/net/run/extraction_run.h"
#include "model/net/run/step_halves.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace headscope
{
namespace
{

/// Documents that run together, in their order.
struct WatchStep
{
    std::int64_t number = 0;
    std::vector<WatchedDocument> documents;
    StepInput input;                 ///< of those with tokens
    std::vector<std::size_t> packed; ///< documents[packed[s]] is document s of the input
};

MatrixF onHost(Operations& ops, const Tensor& vectors)
{
    MatrixF host(vectors.rows(), vectors.cols());
    ops.download(vectors, host.values());
    return host;
}

/// The network whose layer has this head alone.
Result<Network> networkOfHead(const HeadWatch& watch)
{
    HEADSCOPE_TRY(const auto ops, makeOperations(watch.options.backend, watch.options.threads, {}));
    Network network = watch.network;
    LayerTensors& layer = network.layers[watch.layer.index()];
    HEADSCOPE_CHECK(ops->guarded([&] { layer = tensorsOfHead(*ops, network.config(), layer, watch.head); }));
    return network;
}

MatrixF rowsOf(const MatrixF& all, std::int64_t begin, std::int64_t count)
{
    MatrixF part(count, all.cols());
    std::copy_n(all.data() + begin * all.cols(), count * all.cols(), part.data());
    return part;
}

/// What the workers share.
class WatchExchange
{
public:
    /// @param network  of the head alone
    WatchExchange(const HeadWatch& watch, const Network& network, const TokenStream& stream, const WatchSink& sink,
                  const std::stop_token& stop)
        : m_watch(watch), m_network(network), m_stream(stream), m_sink(sink), m_stepTokens(stepTokensOf(watch.options)),
          m_forward(stop, [this] { m_stop.request_stop(); })
    {}

    /// Steps until there are no more.
    void work()
    {
        Status done = runGuarded();
        if (done)
            return;
        const std::lock_guard lock(m_mutex);
        if (!m_failure)
            m_failure = std::move(done).error();
        m_ended = true;
        m_stop.request_stop();
    }

    [[nodiscard]] Status finish()
    {
        if (m_failure)
            return std::move(*m_failure);
        return m_stop.stop_requested() ? Status(JobContext::cancelled()) : Status();
    }

private:
    Status runGuarded()
    {
        try
        {
            return run();
        }
        catch (...)
        {
            return thrownError();
        }
    }

    Status run()
    {
        HEADSCOPE_TRY(const auto ops,
                      makeOperations(m_watch.options.backend, m_watch.options.threads, m_stop.get_token()));
        std::int64_t mostTokens = std::numeric_limits<std::int64_t>::max();
        for (;;)
        {
            HEADSCOPE_TRY(WatchStep step, nextStep());
            if (step.documents.empty())
                return {};
            const ComputePiece compute = [&](std::int64_t first, const StepInput& piece) {
                return computePiece(*ops, step, first, piece);
            };
            if (!step.packed.empty() && m_watch.options.backend.onCpu())
                HEADSCOPE_CHECK(compute(0, step.input));
            else if (!step.packed.empty())
                HEADSCOPE_CHECK(computeByHalves(step.input, mostTokens, compute));
            HEADSCOPE_CHECK(m_network.weights->checkUnchanged());
            HEADSCOPE_CHECK(deliver(std::move(step)));
        }
    }

    Result<WatchStep> nextStep()
    {
        const std::lock_guard lock(m_mutex);
        WatchStep step;
        step.input.offsets.push_back(0);
        while (!m_ended && !m_stop.stop_requested() && step.documents.size() < kStepDocuments &&
               std::ssize(step.input.ids) < m_stepTokens)
        {
            HEADSCOPE_TRY(std::optional<TokenizedDocument> document, m_stream());
            if (!document)
            {
                m_ended = true;
                break;
            }
            if (!document->ids.empty())
            {
                step.packed.push_back(step.documents.size());
                step.input.ids.insert(step.input.ids.end(), document->ids.begin(), document->ids.end());
                step.input.offsets.push_back(std::ssize(step.input.ids));
            }
            step.documents.push_back({std::move(*document), {}, {}, {}, {}});
        }
        if (!step.documents.empty())
            step.number = m_steps++;
        return step;
    }

    Status computePiece(Operations& ops, WatchStep& step, std::int64_t first, const StepInput& piece) const
    {
        const auto documentOf = [&](std::int64_t s) -> WatchedDocument& {
            return step.documents[step.packed[static_cast<std::size_t>(first + s)]];
        };
        for (std::int64_t s = 0; s + 1 < std::ssize(piece.offsets); ++s)
        {
            const auto tokens = std::ssize(documentOf(s).document.ids);
            documentOf(s).weights = MatrixF(tokens, tokens);
        }
        StepWatch watch;
        watch.probabilityLayers = {m_watch.layer.value()};
        watch.vectorLayers = {m_watch.layer.value()};
        watch.probabilities = [&](LayerIndex, DocumentIndex document, HeadIndex, TokenIndex begin,
                                  ConstMatrixView rows) {
            MatrixF& weights = documentOf(document.value()).weights;
            for (std::int64_t row = 0; row < rows.rows(); ++row)
                std::ranges::copy(rows.row(row), weights.row(begin.value() + row).begin());
        };
        watch.vectors = [&](LayerIndex, const AttentionVectors& found) { takeVectors(ops, found, piece, documentOf); };
        TapPlan plan;
        plan.layers.resize(static_cast<std::size_t>(m_network.config().layers));
        return runStep(
            ops, m_network, piece, plan, [](LayerIndex, Tap, const Tensor&) {}, {.watch = &watch}, m_stop.get_token());
    }

    template <class DocumentOf>
    void takeVectors(Operations& ops, const AttentionVectors& found, const StepInput& piece,
                     const DocumentOf& documentOf) const
    {
        const MatrixF q = onHost(ops, found.q);
        const MatrixF k = onHost(ops, found.k);
        const MatrixF z = onHost(ops, found.z);
        for (std::size_t s = 0; s + 1 < piece.offsets.size(); ++s)
        {
            WatchedDocument& document = documentOf(static_cast<std::int64_t>(s));
            const std::int64_t begin = piece.offsets[s];
            const std::int64_t count = piece.offsets[s + 1] - begin;
            document.q = rowsOf(q, begin, count);
            document.k = rowsOf(k, begin, count);
            document.z = rowsOf(z, begin, count);
        }
    }

    /// Steps that end early wait for those before them.
    Status deliver(WatchStep step)
    {
        const std::lock_guard lock(m_mutex);
        const std::int64_t number = step.number;
        m_waiting.emplace(number, std::move(step));
        for (auto next = m_waiting.begin(); next != m_waiting.end() && next->first == m_next && !m_failure; ++m_next)
        {
            HEADSCOPE_CHECK(m_sink(next->second.documents));
            next = m_waiting.erase(next);
        }
        return {};
    }

    const HeadWatch& m_watch;
    const Network& m_network;
    const TokenStream& m_stream;
    const WatchSink& m_sink;
    std::int64_t m_stepTokens;
    std::mutex m_mutex;
    bool m_ended = false;
    std::int64_t m_steps = 0; ///< handed out
    std::int64_t m_next = 0;  ///< to be delivered
    std::map<std::int64_t, WatchStep> m_waiting;
    std::optional<Error> m_failure;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_forward;
};

} // namespace

Status watchHead(const HeadWatch& watch, const TokenStream& stream, const WatchSink& sink, const std::stop_token& stop)
{
    HEADSCOPE_TRY(const Network network, networkOfHead(watch));
    WatchExchange exchange(watch, network, stream, sink, stop);
    const int workers = workersOf(watch.options);
    parallelForBlocks(workers, workers, 1, [&](const Block&, int) { exchange.work(); });
    return exchange.finish();
}

} // namespace headscope
