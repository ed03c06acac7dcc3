// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/step_scheduler.h"

#include "model/base/numbers/all_finite.h"
#include "model/net/forward/embedding_modules.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace headscope
{
StepScheduler::StepScheduler(const ExtractionSetup& setup, const TokenStream& stream, HeadVectorSink& sink,
                             std::uint64_t documentCount, JobContext& job)
    : m_setup(setup), m_stream(stream), m_sink(sink), m_documentCount(documentCount), m_job(job),
      m_stepTokens(stepTokensOf(setup.options)), m_forward(job.stopToken(), [this] { m_stop.request_stop(); })
{
    for (const ExtractionBlock& block : m_setup.blocks)
        m_report.nonFiniteVectors.emplace_back(static_cast<std::size_t>(block.heads), 0);
}

void StepScheduler::fail(Error error)
{
    const std::lock_guard lock(m_mutex);
    if (!m_failure)
        m_failure = std::move(error);
    m_ended = true;
    m_stop.request_stop();
}

Result<Step> StepScheduler::nextStep()
{
    const std::lock_guard lock(m_mutex);
    for (;;)
    {
        HEADSCOPE_TRY(Step step, packedStep());
        const bool allKept = std::all_of(step.documents.begin(), step.documents.end(),
                                         [](const TokenizedDocument& document) { return document.kept; });
        if (step.documents.empty() || !allKept)
            return step;
        m_passedOver += step.documents.size();
        reportDocuments();
    }
}

Result<Step> StepScheduler::packedStep()
{
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

std::vector<ExtractedDocument> StepScheduler::emptyResults(const Step& step) const
{
    std::vector<ExtractedDocument> extracted(step.documents.size());
    for (std::size_t i = 0; i < extracted.size(); ++i)
    {
        const TokenizedDocument& document = step.documents[i];
        extracted[i].index = document.index;
        extracted[i].tokens = static_cast<std::int32_t>(document.ids.size());
        extracted[i].flags = document.flags;
        extracted[i].digest = document.digest();
        extracted[i].values.assign(static_cast<std::size_t>(valuesPerDocument(m_setup.blocks)),
                                   std::numeric_limits<float>::quiet_NaN());
        if (document.ids.empty())
            extracted[i].flags |= static_cast<std::uint8_t>(DocumentFlag::Empty);
    }
    return extracted;
}

Tap StepScheduler::tapOf(const ExtractionBlock& block) const
{
    switch (block.stage)
    {
    case Stage::HeadOutput:
        return Tap::HeadOutput;
    case Stage::ProjectedSegment:
        return Tap::Projected;
    case Stage::OutputSegment:
        return m_setup.plan.layers[block.layer.index()].preNorm ? Tap::PreNorm : Tap::Output;
    case Stage::Contribution:
        return Tap::Contribution;
    case Stage::Embedding:
        break; // made of the normed output
    }
    return Tap::Output;
}

TapSink StepScheduler::resultsSink(Operations& ops, const Step& step, std::vector<ExtractedDocument>& extracted) const
{
    return [&, this](LayerIndex layer, Tap tap, const Tensor& pooled) {
        std::vector<float> rows(static_cast<std::size_t>(pooled.rows() * pooled.cols()));
        ops.download(pooled, rows); // [S, heads * dims]
        std::size_t offset = 0;
        for (const ExtractionBlock& block : m_setup.blocks)
        {
            const auto width = static_cast<std::size_t>(block.heads * block.dims);
            if (block.layer == layer && tapOf(block) == tap)
            {
                const bool isEmbedding = block.stage == Stage::Embedding;
                const MatrixF made = isEmbedding
                                         ? m_setup.options.embedding->apply({rows.data(), pooled.rows(), pooled.cols()})
                                         : MatrixF();
                const float* const from = isEmbedding ? made.data() : rows.data();
                for (std::size_t s = 0; s < step.packed.size(); ++s)
                    std::copy_n(from + s * width, width,
                                extracted[step.packed[s]].values.begin() + static_cast<std::ptrdiff_t>(offset));
            }
            offset += width;
        }
    };
}

Status StepScheduler::deliver(const Step& step, std::vector<ExtractedDocument> extracted)
{
    HEADSCOPE_CHECK(m_setup.network.weights->checkUnchanged());
    std::vector<NonFinitePlace> bad; // one a document, block and head
    std::int64_t badDocuments = 0;
    for (std::size_t i = 0; i < extracted.size(); ++i)
    {
        ExtractedDocument& document = extracted[i];
        if (document.tokens == 0 || allFinite(document.values))
            continue;
        document.flags |= static_cast<std::uint8_t>(DocumentFlag::NonFinite);
        if (step.documents[i].kept)
            continue;
        findNonFinite(document, bad);
        ++badDocuments;
    }
    const std::lock_guard lock(m_mutex);
    if (m_failure)
        return {};
    HEADSCOPE_CHECK(m_sink.add(extracted));
    for (const NonFinitePlace& place : bad)
    {
        ++m_report.nonFiniteVectors[place.block][place.head.index()];
        const auto order = [](const NonFinitePlace& p) { return std::tuple(p.block, p.document, p.head); };
        if (!m_report.firstNonFinite || order(place) < order(*m_report.firstNonFinite))
            m_report.firstNonFinite = place;
    }
    m_report.nonFinite += badDocuments;
    for (std::size_t i = 0; i < extracted.size(); ++i)
    {
        if (step.documents[i].kept)
        {
            ++m_passedOver;
            continue;
        }
        ++m_report.documents;
        m_report.tokens += extracted[i].tokens;
        m_report.empty += hasFlag(extracted[i].flags, DocumentFlag::Empty) ? 1 : 0;
    }
    reportDocuments();
    return {};
}

void StepScheduler::reportDocuments()
{
    if (m_setup.streamed == nullptr)
        m_job.report("extracting", static_cast<std::uint64_t>(m_report.documents) + m_passedOver, m_documentCount,
                     "documents");
}

void StepScheduler::findNonFinite(const ExtractedDocument& document, std::vector<NonFinitePlace>& found) const
{
    std::span<const float> values = document.values;
    for (std::size_t block = 0; block < m_setup.blocks.size(); ++block)
        for (HeadIndex head; head.value() < m_setup.blocks[block].heads; ++head)
        {
            const auto dims = static_cast<std::size_t>(m_setup.blocks[block].dims);
            if (!allFinite(values.first(dims)))
                found.push_back({block, DocumentIndex(document.index), head});
            values = values.subspan(dims);
        }
}

void StepScheduler::passedLayer(const Step& step)
{
    const std::lock_guard lock(m_mutex);
    const auto layers = static_cast<std::uint64_t>(m_setup.plan.lastLayer() + 1);
    m_documentLayers +=
        static_cast<std::uint64_t>(std::count_if(step.documents.begin(), step.documents.end(),
                                                 [](const TokenizedDocument& document) { return !document.kept; }));
    m_job.report("extracting", m_documentLayers + m_passedOver * layers, m_documentCount * layers, "document layers");
}

Result<ExtractionReport> StepScheduler::finish(double seconds)
{
    HEADSCOPE_CHECK(m_job.checkStop());
    if (m_failure)
        return std::move(*m_failure);
    m_report.seconds = seconds;
    m_report.precision = m_setup.options.backend.precision;
    return std::move(m_report);
}

} // namespace headscope
