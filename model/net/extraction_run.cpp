// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/extraction_run.h"

#include "model/base/parallel.h"
#include "model/kernels/vector_loops.h"
#include "model/net/layer_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>

namespace headscope
{
namespace
{

constexpr std::int64_t kCpuStepTokens = 512;
constexpr std::int64_t kGpuStepTokens = 16384;
constexpr std::size_t kStepDocuments = 4096; ///< empty documents take no tokens, but memory

/// Whole documents that go through the network together.
struct Step
{
    StepInput input;
    std::vector<TokenizedDocument> documents;
    std::vector<std::size_t> packed; ///< documents[packed[s]] is document s of the packing
};

/// A step between two layers.
struct WaitingStep
{
    Step step;
    MatrixF x; ///< [T, Dm] residual stream; made before the first layer
    std::vector<ExtractedDocument> extracted;
};

/// The steps that pass a layer before the next one is used.
struct Batch
{
    std::vector<WaitingStep> steps;
    BatchShape shape;
    int workers = 1;
    bool ahead = true; ///< the next layer is read beside the current one
};

Tap tapOf(const ExtractionBlock& block, bool preNorm)
{
    switch (block.stage)
    {
    case Stage::HeadOutput:
        return Tap::HeadOutput;
    case Stage::ProjectedSegment:
        return Tap::Projected;
    case Stage::OutputSegment:
        return preNorm ? Tap::PreNorm : Tap::Output;
    case Stage::Contribution:
        return Tap::Contribution;
    }
    return Tap::Output;
}

/// One run over a stream: workers take steps in turn, compute them, and hand the results over.
class ExtractionRun
{
public:
    ExtractionRun(const ExtractionSetup& setup, const TokenStream& stream, HeadVectorSink& sink,
                  std::uint64_t documentCount, JobContext& job)
        : m_options(setup.options), m_network(setup.network), m_plan(setup.plan), m_blocks(setup.blocks),
          m_streamed(setup.streamed), m_stream(stream), m_sink(sink), m_documentCount(documentCount), m_job(job),
          m_forward(job.stopToken(), [this] { m_stop.request_stop(); })
    {
        for (const ExtractionBlock& block : m_blocks)
            m_report.nonFiniteVectors.emplace_back(static_cast<std::size_t>(block.heads), 0);
        m_stepTokens = stepTokensOf(m_options);
    }

    Result<ExtractionReport> run()
    {
        const auto start = std::chrono::steady_clock::now();
        if (m_streamed != nullptr)
            guarded([this] { return streamLayers(); });
        else
        {
            // libtorch brings its own threads; our own products run one worker a core.
            const bool ownThreads = m_options.backend.kind == Backend::Kind::Torch;
            const int workers = ownThreads ? 1 : m_options.threads;
            parallelForBlocks(workers, workers, 1, [this](const Block&, int) { guarded([this] { return work(); }); });
        }
        HEADSCOPE_CHECK(m_job.checkStop());
        if (m_failure)
            return std::move(*m_failure);
        m_report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::move(m_report);
    }

private:
    /// Runs a piece of work; what goes wrong ends the run.
    template <class Work>
    void guarded(const Work& piece)
    {
        try
        {
            if (Status status = piece(); !status)
                fail(std::move(status).error());
        }
        catch (const std::bad_alloc&)
        {
            fail({ErrorCode::OutOfMemory, "the memory does not suffice for the vectors of these texts", {}, {}});
        }
        catch (const std::exception& exception)
        {
            fail({ErrorCode::Internal, exception.what(), {}, {}});
        }
    }

    Status work()
    {
        HEADSCOPE_TRY(const auto ops, makeOperations(m_options.backend, m_options.threads, m_stop.get_token()));
        for (;;)
        {
            HEADSCOPE_TRY(Step step, nextStep());
            if (step.documents.empty())
                return {};
            HEADSCOPE_CHECK(m_network.weights->checkUnchanged());
            HEADSCOPE_TRY(const auto extracted, compute(*ops, step));
            HEADSCOPE_CHECK(deliver(extracted));
        }
    }

    void fail(Error error)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_failure)
            m_failure = std::move(error);
        m_ended = true;
        m_stop.request_stop();
    }

    /// The next documents of the stream, until they hold enough tokens; none at the end.
    Result<Step> nextStep()
    {
        const std::lock_guard lock(m_mutex);
        Step step;
        step.input.offsets.push_back(0);
        while (!m_ended && !m_stop.stop_requested() && step.documents.size() < kStepDocuments &&
               static_cast<std::int64_t>(step.input.ids.size()) < m_stepTokens)
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
                step.input.offsets.push_back(static_cast<std::int64_t>(step.input.ids.size()));
                step.input.meanFrom.push_back(document->promptTokens);
            }
            step.documents.push_back(std::move(*document));
        }
        return step;
    }

    /// Batch after batch through all layers that are needed.
    Status streamLayers()
    {
        LayerStream layers(m_streamed->files, m_streamed->opened, m_options.threads, m_stop.get_token());
        layers.start(LayerIndex(0));
        HEADSCOPE_TRY(Step waiting, nextStep());
        while (!waiting.documents.empty())
        {
            HEADSCOPE_TRY(Batch batch, nextBatch(waiting));
            HEADSCOPE_CHECK(computeBatch(layers, batch, !waiting.documents.empty()));
            for (WaitingStep& done : batch.steps)
                HEADSCOPE_CHECK(deliver(std::move(done.extracted)));
        }
        return {};
    }

    /// As many steps as the limit allows, at least one; `waiting` is the first, and then the one that
    /// did not fit.
    Result<Batch> nextBatch(Step& waiting)
    {
        const StreamCosts& costs = m_streamed->costs;
        const std::uint64_t limit = m_options.memory.total - m_options.memory.reserved;
        const auto fits = [&](const BatchShape& shape, int layers, int workers) {
            return costs.bytes(shape, layers, workers) <= limit;
        };
        // Workers take at most half of what is free: more documents a batch save readings of the model.
        const std::uint64_t free = limit - std::min(limit, costs.bytes({}, 2, 0));
        const std::uint64_t work = costs.workPerToken * static_cast<std::uint64_t>(m_stepTokens);
        const int workers =
            std::clamp(static_cast<int>(std::min<std::uint64_t>(free / (2 * work), 1 << 20)), 1, m_options.threads);
        Batch batch;
        do
        {
            const auto tokens = static_cast<std::int64_t>(waiting.input.ids.size());
            const BatchShape grown = {batch.shape.tokens + tokens,
                                      batch.shape.documents + static_cast<std::int64_t>(waiting.documents.size()),
                                      std::max(batch.shape.largestStep, tokens)};
            if (!batch.steps.empty() && !fits(grown, 2, workers))
                break;
            batch.shape = grown;
            batch.steps.push_back({std::move(waiting), {}, {}});
            HEADSCOPE_TRY(waiting, nextStep());
        } while (!waiting.documents.empty());
        batch.ahead = fits(batch.shape, 2, 1);
        if (!fits(batch.shape, batch.ahead ? 2 : 1, 1))
            return Error{ErrorCode::OutOfMemory,
                         fmt::format("document {}: a step of {} tokens needs a memory limit of {}, found {}",
                                     batch.steps.front().step.documents.back().index + 1, batch.shape.tokens,
                                     mebibytesText(m_options.memory.reserved + costs.bytes(batch.shape, 1, 1)),
                                     mebibytesText(m_options.memory.total)),
                         {},
                         "memory"};
        for (batch.workers = workers; batch.workers > 1; --batch.workers)
            if (fits(batch.shape, batch.ahead ? 2 : 1, batch.workers))
                break;
        return batch;
    }

    /// @param more  another batch follows: its first layer is read beside the last one of this
    Status computeBatch(LayerStream& layers, Batch& batch, bool more)
    {
        const auto last = m_plan.lastLayer();
        for (LayerIndex layer; layer.value() <= last && !m_stop.stop_requested(); ++layer)
        {
            std::optional<LayerIndex> next;
            if (layer.value() < last)
                next = LayerIndex(layer.value() + 1);
            else if (more)
                next = LayerIndex(0);
            {
                HEADSCOPE_TRY(const Weights weights, layers.take());
                if (next && batch.ahead)
                    layers.start(*next);
                HEADSCOPE_TRY(const auto ops, makeOperations(m_options.backend, 1, m_stop.get_token()));
                HEADSCOPE_TRY(const LayerTensors tensors, makeLayerTensors(*ops, weights, layer));
                parallelForBlocks(batch.workers, static_cast<std::int64_t>(batch.steps.size()), 1,
                                  [&](const Block& block, int) {
                                      if (m_stop.stop_requested())
                                          return;
                                      WaitingStep& step = batch.steps[static_cast<std::size_t>(block.index)];
                                      guarded([&] { return computeLayer(step, tensors, layer); });
                                  });
            }
            if (next && !batch.ahead)
                layers.start(*next);
        }
        // A batch that was stopped half-way is nobody's result.
        if (m_stop.stop_requested())
            return JobContext::cancelled();
        return {};
    }

    Status computeLayer(WaitingStep& waiting, const LayerTensors& tensors, LayerIndex layer)
    {
        const Step& step = waiting.step;
        // New operations for every step and layer: theirs are the activations, and none stays behind.
        HEADSCOPE_TRY(const auto ops, makeOperations(m_options.backend, 1, m_stop.get_token()));
        if (layer.value() == 0)
        {
            waiting.extracted = emptyResults(step);
            if (!step.packed.empty())
            {
                HEADSCOPE_TRY(waiting.x, embedStep(*ops, m_network, step.input));
            }
        }
        if (!step.packed.empty())
            HEADSCOPE_CHECK(runStepLayer(*ops, m_network, tensors, layer, step.input, m_plan,
                                         resultsSink(*ops, step, waiting.extracted), waiting.x, m_stop.get_token()));
        const std::lock_guard lock(m_mutex);
        const auto layerCount = static_cast<std::uint64_t>(m_plan.lastLayer() + 1);
        m_documentLayers += step.documents.size();
        m_job.report("extracting", m_documentLayers, m_documentCount * layerCount, "document layers");
        return {};
    }

    /// The documents of a step before anything is known of them but their tokens.
    [[nodiscard]] std::vector<ExtractedDocument> emptyResults(const Step& step) const
    {
        std::vector<ExtractedDocument> extracted(step.documents.size());
        for (std::size_t i = 0; i < extracted.size(); ++i)
        {
            const TokenizedDocument& document = step.documents[i];
            extracted[i].index = document.index;
            extracted[i].tokens = static_cast<std::int32_t>(document.ids.size());
            extracted[i].flags = document.flags;
            extracted[i].values.assign(static_cast<std::size_t>(valuesPerDocument(m_blocks)),
                                       std::numeric_limits<float>::quiet_NaN());
            if (document.ids.empty())
                extracted[i].flags |= static_cast<std::uint8_t>(DocumentFlag::Empty);
        }
        return extracted;
    }

    /// Puts pooled rows into the documents of a step; all outlive it.
    [[nodiscard]] TapSink resultsSink(Operations& ops, const Step& step,
                                      std::vector<ExtractedDocument>& extracted) const
    {
        return [&, this](LayerIndex layer, Tap tap, const Tensor& pooled) {
            std::vector<float> rows(static_cast<std::size_t>(pooled.rows() * pooled.cols()));
            ops.download(pooled, rows); // [S, heads * dims]
            std::size_t offset = 0;
            for (const ExtractionBlock& block : m_blocks)
            {
                const auto width = static_cast<std::size_t>(block.heads * block.dims);
                if (block.layer == layer && tapOf(block, isPreNorm(block)) == tap)
                    for (std::size_t s = 0; s < step.packed.size(); ++s)
                        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(s * width), width,
                                    extracted[step.packed[s]].values.begin() + static_cast<std::ptrdiff_t>(offset));
                offset += width;
            }
        };
    }

    Result<std::vector<ExtractedDocument>> compute(Operations& ops, const Step& step)
    {
        auto extracted = emptyResults(step);
        if (!step.packed.empty())
            HEADSCOPE_CHECK(
                runStep(ops, m_network, step.input, m_plan, resultsSink(ops, step, extracted), {}, m_stop.get_token()));
        return extracted;
    }
    [[nodiscard]] bool isPreNorm(const ExtractionBlock& block) const
    {
        return m_plan.layers[block.layer.index()].preNorm;
    }

    Status deliver(std::vector<ExtractedDocument> extracted)
    {
        std::vector<std::pair<std::size_t, std::size_t>> bad; // (block, head), one entry a document
        std::int64_t badDocuments = 0;
        for (ExtractedDocument& document : extracted)
        {
            const std::size_t before = bad.size();
            if (!hasFlag(document.flags, DocumentFlag::Empty) && !allFinite(document.values))
                findNonFinite(document.values, bad);
            if (bad.size() == before)
                continue;
            ++badDocuments;
            document.flags |= static_cast<std::uint8_t>(DocumentFlag::NonFinite);
        }
        const std::lock_guard lock(m_mutex);
        if (m_failure)
            return {};
        HEADSCOPE_CHECK(m_sink.add(extracted));
        for (const auto& [block, head] : bad)
            ++m_report.nonFiniteVectors[block][head];
        m_report.nonFinite += badDocuments;
        for (const ExtractedDocument& document : extracted)
        {
            m_report.tokens += document.tokens;
            m_report.empty += hasFlag(document.flags, DocumentFlag::Empty) ? 1 : 0;
        }
        m_report.documents += static_cast<std::int64_t>(extracted.size());
        if (m_streamed == nullptr)
            m_job.report("extracting", static_cast<std::uint64_t>(m_report.documents), m_documentCount, "documents");
        return {};
    }

    void findNonFinite(std::span<const float> values, std::vector<std::pair<std::size_t, std::size_t>>& bad) const
    {
        for (std::size_t block = 0; block < m_blocks.size(); ++block)
            for (std::size_t head = 0; head < static_cast<std::size_t>(m_blocks[block].heads); ++head)
            {
                const auto dims = static_cast<std::size_t>(m_blocks[block].dims);
                if (!allFinite(values.first(dims)))
                    bad.emplace_back(block, head);
                values = values.subspan(dims);
            }
    }

    const ExtractionOptions& m_options;
    const Network& m_network;
    const TapPlan& m_plan;
    const std::vector<ExtractionBlock>& m_blocks;
    const StreamSource* m_streamed;
    const TokenStream& m_stream;
    HeadVectorSink& m_sink;
    std::uint64_t m_documentCount;
    JobContext& m_job;
    std::int64_t m_stepTokens = 0;

    std::stop_source m_stop; ///< the job's stop, or a worker's failure
    std::stop_callback<std::function<void()>> m_forward;
    std::mutex m_mutex; ///< guards stream, sink, report, and the following
    bool m_ended = false;
    std::optional<Error> m_failure;
    ExtractionReport m_report;
    std::uint64_t m_documentLayers = 0; ///< documents that passed a layer, summed over the layers
};

} // namespace

std::int64_t stepTokensOf(const ExtractionOptions& options)
{
    if (options.stepTokens > 0)
        return options.stepTokens;
    return options.backend.onCpu() ? kCpuStepTokens : kGpuStepTokens;
}

std::int64_t valuesPerDocument(const std::vector<ExtractionBlock>& blocks)
{
    std::int64_t count = 0;
    for (const ExtractionBlock& block : blocks)
        count += block.heads * block.dims;
    return count;
}

Result<ExtractionReport> runExtraction(const ExtractionSetup& setup, const TokenStream& stream, HeadVectorSink& sink,
                                       std::uint64_t documentCount, JobContext& job)
{
    return ExtractionRun(setup, stream, sink, documentCount, job).run();
}

} // namespace headscope
