// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/extraction/run_extraction.h"

#include "app/engine/document_feed.h"
#include "app/engine/extraction/cache_run.h"
#include "app/engine/extraction/extraction_output.h"
#include "app/engine/extraction/shard_settings.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/inspect/model_asks.h"
#include "model/base/output/disk_space.h"
#include "model/base/output/output_path.h"
#include "model/data/last_layer.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_merge.h"
#include "model/io/shards/shard_writer.h"
#include "model/net/run/extraction_run.h"
#include "model/net/run/head_extractor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace headscope::engine
{
namespace
{

/// A new cache.
class Extraction : public CacheRun
{
public:
    using CacheRun::CacheRun;

protected:
    Result<std::filesystem::path> checkedPlace() const override
    {
        return checkedOutput(m_request, m_context.common.overwrite);
    }
    Status begin() override
    {
        HEADSCOPE_CHECK(checkOutputPath(m_output, m_context.common.overwrite)); // who held it may have made it
        return checkShardFolder(shardFolder(m_output));
    }
    std::vector<std::filesystem::path> folders() const override { return {shardFolder(m_output)}; }

    Result<ExtractionOptions> chooseOptions() override
    {
        HEADSCOPE_TRY(auto options, extractionOptions(m_request, model(), m_context.common.numThreads()));
        HEADSCOPE_CHECK(addEmbedding(m_request.run.embedding, model(), options));
        if (auto notice = embeddingNotice(m_request.run.embedding, model(), options); !notice.empty())
            notices({std::move(notice)});
        return options;
    }

    Result<bool> plan() override
    {
        HEADSCOPE_TRY(m_reader, DocumentReader::open(m_request.inputs, m_request.documents, m_context.job));
        notices(m_reader->notices());
        m_summary.sample = m_reader->sample();
        HEADSCOPE_CHECK(chooseDocuments(m_reader->count()));
        return true;
    }

    Status checkRoom() override
    {
        const auto documents = static_cast<std::uint64_t>(numDocuments());
        HEADSCOPE_CHECK(checkMemoryOf(m_request, model(), m_options, m_maxTokens, documents));
        HEADSCOPE_TRY(const auto blocks, extractionBlocks(model().files.config, m_options));
        return checkFreeSpace(m_output, documents * storedBytes(blocks, m_request.store));
    }

    Status computeDocuments() override
    {
        checkLastLayer(model().card.info, extractor().blocks());
        noteContributions(model().files.config, extractor().blocks());
        ShardOptions shards;
        shards.folder = shardFolder(m_output);
        shards.blocks = extractor().blocks();
        shards.settings = shardSettings(m_request, model(), m_options, m_maxTokens, m_summary.sample, m_ablation);
        auto settings = shards.settings;
        if (m_request.range)
            shards.settings["--range"] = fmt::format("{}:{}", m_range.begin, m_range.end);
        shards.documents = {m_range.begin, m_range.end, m_reader->count()};
        shards.cache = m_output;
        HEADSCOPE_TRY(const auto writer, openWriter(std::move(shards)));
        m_summary.skipped = std::ssize(writer->kept());
        if (m_summary.skipped > 0)
            notices({fmt::format("{} of {} documents were done by an earlier run", m_summary.skipped, numDocuments())});
        JobContext quiet(m_context.job.stopToken()); // progress is the extractor's to report
        DocumentFeed feed(*m_reader, encoder(), quiet, writer->kept(), m_range, stepTokensOf(m_options));
        HEADSCOPE_CHECK(runFeed([&feed] { return feed.next(); }, [&feed] { return feed.seconds(); }, *writer,
                                m_reader->count(), {writer.get()}));
        if (auto draft = writer->takeDraft())
            m_draft.emplace(std::move(*draft));
        HEADSCOPE_CHECK(feed.checkAllKeptCame());
        if (m_request.range)
        {
            settings["--topic-template"] = m_request.topicTemplate;
            if (const auto numbers = m_reader->numberColumns(); !numbers.empty())
                settings["--number-columns"] = fmt::format("{}", fmt::join(numbers, ", "));
            m_cacheRange = {m_range.begin, m_range.end, m_reader->count(),
                            feed.digest(), settings,    m_reader->labelColumns()};
        }
        m_documents = feed.takeDocuments();
        return {};
    }

    Result<MergeSummary> makeCache() override
    {
        const std::vector<std::string> numbers = m_reader->numberColumns();
        for (const LabelColumn& column : m_documents.labels)
            if (auto alike = alikeLabels(column); !alike.empty())
                notices({std::move(alike)});
        HEADSCOPE_CHECK(applyTopicLists(m_topicLists, m_request.label, numbers, m_documents));
        std::vector<TopicVectors> topics;
        for (const LabelColumn& column : m_documents.labels)
        {
            if (std::ranges::find(numbers, column.name) != numbers.end())
                continue;
            HEADSCOPE_TRY(auto vectors, topicsOf(column));
            std::move(vectors.begin(), vectors.end(), std::back_inserter(topics));
        }
        const auto start = Clock::now();
        const auto folder = shardFolder(m_output);
        auto merged =
            mergeShards(folder, m_output, header(), std::move(m_documents), topics, m_context.job, std::move(m_draft));
        if (!merged)
            return mergeFailure(std::move(merged).error(), {folder});
        m_summary.writeSeconds += secondsSince(start);
        return merged;
    }

    void sayKept(const std::vector<ShardWriter*>& writers) override
    {
        const std::int64_t kept = std::ssize(writers.front()->kept()) + writers.front()->stored();
        if (kept > 0)
            notices({fmt::format("{} of {} documents are in {}; the same command continues with the rest", kept,
                                 numDocuments(), shardFolder(m_output).string())});
    }

    void sayLast() override
    {
        // Of documents that an earlier run computed it is not known whether --store made their infinity.
        const std::int64_t beyond = m_summary.nonFinite - m_nonFinite;
        if (m_request.store == NumberType::F16 && m_summary.skipped == 0 && beyond > 0)
            notices({fmt::format("{} {} values beyond 65,504, the largest that --store f16 can store; bf16 and f32 "
                                 "store them",
                                 beyond, beyond == 1 ? "document has" : "documents have")});
    }

private:
    /// Which of the documents are this run's.
    Status chooseDocuments(std::int64_t count)
    {
        m_range = {0, count};
        if (!m_request.range)
            return {};
        if (m_request.range->begin >= count)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected a range that starts among the {0} documents (0:{0}), found {1}:{2}",
                                     count, m_request.range->begin, m_request.range->end),
                         {},
                         "--range"};
        m_range = {m_request.range->begin, std::min(m_request.range->end, count)};
        return {};
    }

    [[nodiscard]] std::int64_t numDocuments() const { return m_range.end - m_range.begin; }

    /// Whether --last-layer raw changes anything, and a notice where it does not.
    void checkLastLayer(const ModelInfo& model, const std::vector<ExtractionBlock>& blocks)
    {
        if (m_request.run.lastLayer != "raw")
            return;
        const bool stored = std::any_of(blocks.begin(), blocks.end(), [&](const ExtractionBlock& block) {
            return block.stage == Stage::OutputSegment && block.layer.value() + 1 == model.layers;
        });
        m_lastLayerRaw = stored && hasFinalNorm(model);
        if (!m_lastLayerRaw)
            notices({fmt::format("--last-layer raw changes nothing: {}",
                                 stored ? "this encoder has no final norm, so the output of its last layer is raw"
                                        : "stage 3 of the last layer is not stored")});
    }

    /// Says what contributions do not add up to, where a norm stands between stage 2 and the sum.
    void noteContributions(const ModelConfig& config, const std::vector<ExtractionBlock>& blocks)
    {
        const bool stored = std::ranges::find(blocks, Stage::Contribution, &ExtractionBlock::stage) != blocks.end();
        if (stored && config.traits().hasOutNorms())
            notices(
                {fmt::format("contributions add up to stage 2. A {} model normalises stage 2 before adding it to the "
                             "residual stream, where contributions add up only if the scale of this norm is held fixed",
                             familyName(config.family))});
    }

    [[nodiscard]] CacheHeader header()
    {
        CacheHeader header;
        header.model = model().card.info;
        header.model.lastLayerRaw = m_lastLayerRaw;
        m_ablation.describe(header.model);
        header.command = m_context.command;
        header.tokenizerSha256 = model().tokenizer.sha256();
        header.pooling = poolingName(m_options.pooling);
        header.eos = m_request.run.encode.eos;
        header.topicTemplate = m_request.topicTemplate;
        header.sample = m_summary.sample ? m_summary.sample->text() : std::string();
        header.maxTokens = m_maxTokens;
        header.computeDtype = precisionName(m_options.backend.precision);
        header.prompt = m_request.run.prompt;
        header.specialTokens = m_request.run.encode.specialTokens == "text" ? "text" : "";
        header.device = m_options.backend.device;
        header.embedding = embeddingSource(m_options, extractor().blocks());
        header.asks = modelAsks(model());
        header.range = std::move(m_cacheRange);
        return header;
    }

    std::unique_ptr<DocumentReader> m_reader;
    DocumentSet m_documents;
    DocumentRange m_range;                  ///< documents of this run
    std::optional<CacheDraft> m_draft;      ///< the file that becomes the cache, with the vectors of this run
    std::optional<CacheRange> m_cacheRange; ///< that the cache says of itself, with --range
    bool m_lastLayerRaw = false;            ///< stage 3 of the last layer is stored, and before a final norm
};

} // namespace

Result<ExtractSummary> runExtraction(const ExtractionRequest& request, VerbContext& context)
{
    auto summary = Extraction(request, context).run();
    if (summary || summary.error().code != ErrorCode::OutOfMemory ||
        summary.error().message.find("--") != std::string::npos || request.memory > 0)
        return summary;
    Error error = std::move(summary).error();
    error.message += request.backend.onCpu()
                         ? "; use --memory to read the layers from disk batch by batch, or fewer --threads or --layers"
                         : "; use --device cpu, which has more memory, or fewer --layers";
    return error;
}

} // namespace headscope::engine
