// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/ablation/ablated_extractor.h"

#include "model/io/texts/document_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope::engine
{
namespace
{

/// How the texts of a mean are read: as those of the run, and nothing but their texts.
DocumentOptions referenceOptions(const ExtractionRequest& request)
{
    const bool own = request.ablation.reference.empty();
    DocumentOptions options;
    options.textColumn = request.documents.textColumn;
    options.lines = request.documents.lines;
    options.separator = request.documents.separator;
    if (own)
    {
        options.limit = request.documents.limit;
        options.sample = request.documents.sample;
        options.seed = request.documents.seed;
    }
    options.idColumn = "";
    options.labelColumns = std::vector<std::string>();
    return options;
}

/// The documents of a reader as tokens, at most so many.
class ReferenceFeed
{
public:
    ReferenceFeed(DocumentReader& reader, const TextEncoder& encoder, std::int64_t most, JobContext& job)
        : m_reader(reader), m_encoder(encoder), m_most(most), m_job(job)
    {}

    Result<std::optional<TokenizedDocument>> next()
    {
        constexpr std::size_t kBatch = 64;
        if (m_index == m_most)
            return std::optional<TokenizedDocument>();
        if (m_at == m_batch.size())
        {
            HEADSCOPE_TRY(m_batch, m_reader.next(kBatch, m_job));
            m_at = 0;
            if (m_batch.empty())
                return std::optional<TokenizedDocument>();
        }
        const InputDocument& input = m_batch[m_at++];
        auto document = m_encoder.tokens(m_index, input.text);
        if (!document)
            return std::move(document).error().atPlace("document " + input.id);
        ++m_index;
        return std::optional(std::move(*document));
    }

private:
    DocumentReader& m_reader;
    const TextEncoder& m_encoder;
    std::int64_t m_most;
    JobContext& m_job;
    std::vector<InputDocument> m_batch;
    std::size_t m_at = 0;
    std::int64_t m_index = 0;
};

} // namespace

Result<TokenMeans> meansOfReference(const ExtractionRequest& request, const HeadExtractor& extractor,
                                    const TextEncoder& encoder, JobContext& job)
{
    const bool own = request.ablation.reference.empty();
    const std::vector<std::filesystem::path> inputs =
        own ? request.inputs : std::vector<std::filesystem::path>{request.ablation.reference};
    HEADSCOPE_TRY(const auto reader, DocumentReader::open(inputs, referenceOptions(request), job));
    const std::int64_t count = own ? std::min(reader->count(), kMaxReferenceDocuments) : reader->count();
    JobContext quiet(job.stopToken()); // progress is the extractor's to report
    ReferenceFeed feed(*reader, encoder, count, quiet);
    return measureTokenMeans(
        extractor, [&feed] { return feed.next(); }, static_cast<std::uint64_t>(count), job);
}

Result<const HeadExtractor*> ablatedExtractor(const ExtractionRequest& request, const OpenedModel& model,
                                              ExtractionOptions& options, Ablation& ablation,
                                              const TextEncoder& encoder, std::int64_t maxTokens, Hashes hashes,
                                              VerbContext& context)
{
    const auto with = [&](const ExtractionOptions& wanted) {
        return context.models.extractor(wanted, maxTokens, hashes, context.job);
    };
    HEADSCOPE_TRY(const HeadExtractor* whole, with(options));
    if (!ablation.changes.any())
        return whole;
    const std::int64_t deepest = whole->blocks().back().layer.value();
    const auto layers = ablation.layersUpTo(deepest);
    if (layers.size() < ablation.heads.size())
        sayNotices(context,
                   {fmt::format("ablated heads in layers after {}, the last stored layer, change nothing", deepest)});
    options.edit = ablation.edit;
    if (ablation.mean)
    {
        // Also where no mean is needed: the cache names the reference.
        const std::vector<std::int64_t> first = {0};
        HEADSCOPE_TRY(const HeadExtractor* averaging, with(optionsForMeans(options, layers.empty() ? first : layers)));
        HEADSCOPE_TRY(const auto means, meansOfReference(request, *averaging, encoder, context.job));
        ablation.take(means, model.files.config.headDim);
        options.edit = ablation.edit;
    }
    return with(options);
}

} // namespace headscope::engine
