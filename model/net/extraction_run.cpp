// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/extraction_run.h"

#include "model/base/parallel.h"
#include "model/kernels/vector_loops.h"

#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
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

std::size_t valuesPerDocument(const std::vector<ExtractionBlock>& blocks)
{
    std::int64_t count = 0;
    for (const ExtractionBlock& block : blocks)
        count += block.heads * block.dims;
    return static_cast<std::size_t>(count);
}

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
          m_stream(stream), m_sink(sink), m_documentCount(documentCount), m_job(job),
          m_forward(job.stopToken(), [this] { m_stop.request_stop(); })
    {
        for (const ExtractionBlock& block : m_blocks)
            m_report.nonFiniteVectors.emplace_back(static_cast<std::size_t>(block.heads), 0);
        m_stepTokens = m_options.stepTokens > 0    ? m_options.stepTokens
                       : m_options.backend.onCpu() ? kCpuStepTokens
                                                   : kGpuStepTokens;
    }

    Result<ExtractionReport> run()
    {
        const auto start = std::chrono::steady_clock::now();
        // libtorch brings its own threads; our own products run one worker a core.
        const bool ownThreads = m_options.backend.kind == Backend::Kind::Torch;
        const int workers = ownThreads ? 1 : m_options.threads;
        parallelForBlocks(workers, workers, 1, [this](const Block&, int) {
            try
            {
                if (Status status = work(); !status)
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
        });
        HEADSCOPE_CHECK(m_job.checkStop());
        if (m_failure)
            return std::move(*m_failure);
        m_report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::move(m_report);
    }

private:
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

    Result<std::vector<ExtractedDocument>> compute(Operations& ops, const Step& step)
    {
        std::vector<ExtractedDocument> extracted(step.documents.size());
        for (std::size_t i = 0; i < extracted.size(); ++i)
        {
            const TokenizedDocument& document = step.documents[i];
            extracted[i].index = document.index;
            extracted[i].tokens = static_cast<std::int32_t>(document.ids.size());
            extracted[i].flags = document.flags;
            extracted[i].values.assign(valuesPerDocument(m_blocks), std::numeric_limits<float>::quiet_NaN());
            if (document.ids.empty())
                extracted[i].flags |= static_cast<std::uint8_t>(DocumentFlag::Empty);
        }
        if (step.packed.empty())
            return extracted;
        std::vector<float> rows;
        const TapSink take = [&](LayerIndex layer, Tap tap, const Tensor& pooled) {
            rows.resize(static_cast<std::size_t>(pooled.rows() * pooled.cols()));
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
        HEADSCOPE_CHECK(runStep(ops, m_network, step.input, m_plan, take, {}, m_stop.get_token()));
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
};

} // namespace

Result<ExtractionReport> runExtraction(const ExtractionSetup& setup, const TokenStream& stream, HeadVectorSink& sink,
                                       std::uint64_t documentCount, JobContext& job)
{
    return ExtractionRun(setup, stream, sink, documentCount, job).run();
}

} // namespace headscope
