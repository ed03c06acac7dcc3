// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/run_extraction.h"

#include "app/engine/ablation/ablated_extractor.h"
#include "app/engine/document_feed.h"
#include "app/engine/extraction_output.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/inspect/model_asks.h"
#include "app/engine/opened_model.h"
#include "app/engine/shard_settings.h"
#include "app/engine/topic_names.h"
#include "model/base/clock.h"
#include "model/base/hash.h"
#include "model/base/output/disk_space.h"
#include "model/base/output/output_file.h"
#include "model/base/output/output_lock.h"
#include "model/data/last_layer.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_manifest.h"
#include "model/io/shards/shard_merge.h"
#include "model/io/shards/shard_writer.h"
#include "model/net/run/extraction_run.h"
#include "model/net/run/head_extractor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace headscope::engine
{
namespace
{

class Extraction
{
public:
    Extraction(const ExtractionRequest& request, VerbContext& context) : m_request(request), m_context(context) {}

    Result<ExtractSummary> run()
    {
        const auto start = Clock::now();
        HEADSCOPE_TRY(m_output, checkedOutput(m_request, m_context.common.overwrite));
        HEADSCOPE_TRY(const auto lock, OutputLock::take(m_output));
        HEADSCOPE_CHECK(checkOutputPath(m_output, m_context.common.overwrite)); // who held it may have made it
        HEADSCOPE_CHECK(checkShardFolder(shardFolder(m_output)));
        std::vector<TopicList> topicLists;
        if (!m_request.topics.empty())
        {
            HEADSCOPE_TRY(topicLists, readTopicLists(m_request.topics));
        }
        HEADSCOPE_TRY(const OpenedModel* opened, openModelOf(m_context, m_request.model));
        const OpenedModel& model = *opened;
        HEADSCOPE_TRY(const auto prompted, choosePrompt(m_request.run, model));
        notices(prompted);
        m_causal = model.card.causal;
        HEADSCOPE_TRY(auto options, extractionOptions(m_request, model, m_context.common.numThreads()));
        HEADSCOPE_CHECK(addEmbedding(m_request.run.embedding, model, options));
        if (auto notice = embeddingNotice(m_request.run.embedding, model, options); !notice.empty())
            notices({std::move(notice)});
        HEADSCOPE_TRY(m_ablation, chooseAblation(m_request.ablation, model.files.config));
        HEADSCOPE_TRY(m_maxTokens, model.maxTokens(m_request.run.maxTokens));
        HEADSCOPE_TRY(const auto encoder, makeEncoder(m_request.run, model, m_maxTokens));
        m_summary.loadSeconds = secondsSince(start);

        HEADSCOPE_TRY(const auto reader, DocumentReader::open(m_request.inputs, m_request.documents, m_context.job));
        notices(reader->notices());
        m_summary.sample = reader->sample();

        HEADSCOPE_CHECK(chooseDocuments(reader->count()));

        const auto beforeWeights = Clock::now();
        HEADSCOPE_CHECK(
            checkMemoryOf(m_request, model, options, m_maxTokens, static_cast<std::uint64_t>(numDocuments())));
        HEADSCOPE_CHECK(checkDiskOf(model, options, static_cast<std::uint64_t>(numDocuments())));
        HEADSCOPE_TRY(const HeadExtractor* loaded, ablatedExtractor(m_request, model, options, m_ablation, encoder,
                                                                    m_maxTokens, Hashes::Needed, m_context));
        const HeadExtractor& extractor = *loaded;
        m_summary.loadSeconds += secondsSince(beforeWeights);
        noteAblation(m_request, m_ablation, m_summary);

        checkLastLayer(model.card.info, extractor.blocks());
        noteContributions(model.files.config, extractor.blocks());

        const EmptyFolder unlessFilled(shardFolder(m_output));
        HEADSCOPE_TRY(auto documents, extractDocuments(model, options, extractor, *reader, encoder));
        for (const LabelColumn& column : documents.labels)
            if (auto alike = alikeLabels(column); !alike.empty())
                notices({std::move(alike)});
        HEADSCOPE_CHECK(applyTopicLists(topicLists, m_request.label, reader->numberColumns(), documents));
        HEADSCOPE_TRY(const auto topics, embedTopics(extractor, encoder, documents, reader->numberColumns()));
        m_embedding = embeddingSource(options, extractor.blocks());
        HEADSCOPE_CHECK(writeCache(model, options, std::move(documents), topics));
        m_summary.device = options.backend.device;
        m_summary.precision = options.backend.precision;
        m_summary.peakBytes = peakBytes();
        m_summary.totalSeconds = secondsSince(start);
        return std::move(m_summary);
    }

private:
    void notices(const std::vector<std::string>& sentences) { sayNotices(m_context, sentences); }

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

    /// What would not fit on the disk is refused before a weight is read.
    Status checkDiskOf(const OpenedModel& model, const ExtractionOptions& options, std::uint64_t documents) const
    {
        HEADSCOPE_TRY(const auto blocks, extractionBlocks(model.files.config, options));
        return checkFreeSpace(m_output, documents * storedBytes(blocks, m_request.store));
    }

    /// Tells what is kept of a run that ended early.
    void sayKept(std::int64_t kept, std::int64_t all)
    {
        if (kept > 0)
            notices({fmt::format("{} of {} documents are in {}; the same command continues with the rest", kept, all,
                                 shardFolder(m_output).string())});
    }

    Result<DocumentSet> extractDocuments(const OpenedModel& model, const ExtractionOptions& options,
                                         const HeadExtractor& extractor, DocumentReader& reader,
                                         const TextEncoder& encoder)
    {
        ShardOptions shards;
        shards.folder = shardFolder(m_output);
        shards.blocks = extractor.blocks();
        shards.store = m_request.store;
        shards.shardBytes = m_request.shardBytes;
        shards.run = m_context.command;
        m_settings = shardSettings(m_request, model, options, m_maxTokens, m_summary.sample, m_ablation);
        shards.settings = m_settings;
        if (m_request.range)
            shards.settings["--range"] = fmt::format("{}:{}", m_range.begin, m_range.end);
        shards.documents = {m_range.begin, m_range.end, reader.count()};
        shards.resume = m_request.resume;
        shards.cache = m_output;
        HEADSCOPE_TRY(const auto writer, ShardWriter::create(std::move(shards), m_context.job));
        const auto kept = std::ssize(writer->kept());
        notices(writer->notices());
        if (kept > 0)
            notices({fmt::format("{} of {} documents were done by an earlier run", kept, numDocuments())});
        TimedSink sink(*writer);
        JobContext quiet(m_context.job.stopToken()); // progress is the extractor's to report
        DocumentFeed feed(reader, encoder, quiet, writer->kept(), m_range, stepTokensOf(options));
        auto report = extractor.run([&feed] { return feed.next(); }, sink, static_cast<std::uint64_t>(reader.count()),
                                    m_context.job);
        if (!report)
        {
            if (writer->finish()) // else the first failure says it
                sayKept(kept + writer->documents(), numDocuments());
            return std::move(report).error();
        }
        const auto beforeFinish = Clock::now();
        HEADSCOPE_CHECK(writer->finish());
        if (auto draft = writer->takeDraft())
            m_draft.emplace(std::move(*draft));
        notices(report->warnings(extractor.blocks()));
        m_nonFinite = report->nonFinite;
        m_summary.skipped = kept;
        m_summary.tokenizeSeconds = feed.seconds();
        m_summary.checkSeconds = report->checkSeconds;
        m_summary.computeSeconds = report->seconds;
        m_summary.tokensPerSecond = report->seconds > 0 ? static_cast<double>(report->tokens) / report->seconds : 0;
        m_summary.writeSeconds = sink.seconds() + secondsSince(beforeFinish);
        HEADSCOPE_CHECK(feed.checkAllKeptCame());
        if (m_request.range)
        {
            m_settings["--topic-template"] = m_request.topicTemplate;
            if (const auto numbers = reader.numberColumns(); !numbers.empty())
                m_settings["--number-columns"] = fmt::format("{}", fmt::join(numbers, ", "));
            m_cacheRange = {m_range.begin, m_range.end, reader.count(),
                            feed.digest(), m_settings,  reader.labelColumns()};
        }
        return feed.takeDocuments();
    }

    Result<std::vector<TopicVectors>> embedTopics(const HeadExtractor& extractor, const TextEncoder& encoder,
                                                  const DocumentSet& documents, const std::vector<std::string>& numbers)
    {
        std::vector<TopicVectors> topics;
        for (const auto& column : documents.labels)
        {
            if (std::ranges::find(numbers, column.name) != numbers.end())
                continue;
            HEADSCOPE_TRY(auto vectors, embedTopicNames(column, m_request, extractor, encoder, m_causal,
                                                        m_summary.computeSeconds, m_context));
            std::move(vectors.begin(), vectors.end(), std::back_inserter(topics));
        }
        return topics;
    }

    Status writeCache(const OpenedModel& model, const ExtractionOptions& options, DocumentSet documents,
                      const std::vector<TopicVectors>& topics)
    {
        const auto start = Clock::now();
        CacheHeader header;
        header.model = model.card.info;
        header.model.lastLayerRaw = m_lastLayerRaw;
        m_ablation.describe(header.model);
        header.command = m_context.command;
        header.tokenizerSha256 = model.tokenizer.sha256();
        header.pooling = poolingName(options.pooling);
        header.eos = m_request.run.encode.eos;
        header.topicTemplate = m_request.topicTemplate;
        header.sample = m_summary.sample ? m_summary.sample->text() : std::string();
        header.maxTokens = m_maxTokens;
        header.computeDtype = precisionName(options.backend.precision);
        header.prompt = m_request.run.prompt;
        header.specialTokens = m_request.run.encode.specialTokens == "text" ? "text" : "";
        header.device = options.backend.device;
        header.embedding = std::move(m_embedding);
        header.asks = modelAsks(model);
        header.range = std::move(m_cacheRange);
        const auto folder = shardFolder(m_output);
        auto merged = mergeShards(folder, m_output, std::move(header), std::move(documents), topics, m_context.job,
                                  std::move(m_draft));
        if (!merged)
            return mergeFailure(std::move(merged).error(), {folder});
        m_summary.documents = merged->documents;
        m_summary.tokens = merged->tokens;
        m_summary.empty = merged->empty;
        m_summary.truncated = merged->truncated;
        m_summary.nonFinite = merged->nonFinite;
        // Of documents that an earlier run computed it is not known whether --store made their infinity.
        const std::int64_t beyond = merged->nonFinite - m_nonFinite;
        if (m_request.store == NumberType::F16 && m_summary.skipped == 0 && beyond > 0)
            notices({fmt::format("{} {} values beyond 65,504, the largest that --store f16 can store; bf16 and f32 "
                                 "store them",
                                 beyond, beyond == 1 ? "document has" : "documents have")});
        removeShards(folder);
        // The cache is there: from here on a stop request changes nothing any more.
        JobContext unstoppable;
        HEADSCOPE_TRY(m_summary.sha256, sha256OfFile(m_output, unstoppable));
        m_summary.writeSeconds += secondsSince(start);
        return {};
    }

    ExtractionRequest m_request;
    VerbContext& m_context;
    std::filesystem::path m_output; ///< behind links
    DocumentRange m_range;          ///< documents of this run
    Ablation m_ablation;
    std::map<std::string, std::string> m_settings;
    std::optional<CacheDraft> m_draft;      ///< the file that becomes the cache, with the vectors of this run
    std::optional<CacheRange> m_cacheRange; ///< that the cache says of itself, with --range
    EmbeddingSource m_embedding;            ///< that the cache says of the sentence embedding
    bool m_lastLayerRaw = false;            ///< stage 3 of the last layer is stored, and before a final norm
    bool m_causal = true;                   ///< tokens see what comes before them alone
    std::int64_t m_maxTokens = 0;
    std::int64_t m_nonFinite = 0; ///< documents whose vectors were not finite when they were computed
    ExtractSummary m_summary;
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
