// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/extraction.h"

#include "app/engine/document_feed.h"
#include "app/engine/memory_check.h"
#include "app/engine/opened_model.h"
#include "app/engine/options.h"
#include "app/engine/topic_names.h"
#include "app/shell/console.h"
#include "app/shell/progress_line.h"
#include "app/shell/stop_signals.h"
#include "model/base/clock.h"
#include "model/base/hash.h"
#include "model/base/output/disk_space.h"
#include "model/base/output/output_file.h"
#include "model/base/output/output_lock.h"
#include "model/io/shards/collecting_sink.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_merge.h"
#include "model/io/shards/shard_writer.h"
#include "model/net/run/head_extractor.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <utility>

namespace headscope::engine
{
namespace
{

std::uint64_t peakBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// Takes away what an extraction leaves on the way, unless it ended well: on every way out of
/// runExtraction, and when a signal ends the process by force. Only who holds the output's lock may have one.
class Traces
{
public:
    Traces(std::filesystem::path output, shell::StopSignals& signals) : m_output(std::move(output)), m_signals(signals)
    {
        m_signals.setCleanUp([this] { remove(); });
    }
    ~Traces()
    {
        m_signals.setCleanUp({});
        remove();
    }
    Traces(const Traces&) = delete;
    Traces& operator=(const Traces&) = delete;

private:
    void remove() const { removeShards(shardFolder(m_output)); }

    std::filesystem::path m_output;
    shell::StopSignals& m_signals;
};

/// Adds the files in a folder, but for caches, which are inputs of no extraction.
template <class Iterator>
void addFilesIn(const std::filesystem::path& folder, std::vector<std::filesystem::path>& files)
{
    std::error_code failed;
    for (Iterator each(folder, failed), end; !failed && each != end; each.increment(failed))
        if (each->path().extension() != ".h5" && each->path().extension() != ".hdf5")
            files.push_back(each->path());
}

/// Measures the time a sink takes.
class TimedSink : public HeadVectorSink
{
public:
    explicit TimedSink(HeadVectorSink& sink) : m_sink(sink) {}
    [[nodiscard]] Status add(std::span<const ExtractedDocument> documents) override
    {
        const auto start = Clock::now();
        auto status = m_sink.add(documents);
        m_seconds += secondsSince(start);
        return status;
    }
    [[nodiscard]] double seconds() const { return m_seconds; }

private:
    HeadVectorSink& m_sink;
    double m_seconds = 0;
};

class Extraction
{
public:
    Extraction(const ExtractRequest& request, VerbContext& context) : m_request(request), m_context(context) {}

    Result<ExtractSummary> run()
    {
        const auto start = Clock::now();
        HEADSCOPE_CHECK(checkOutput());
        HEADSCOPE_TRY(const auto lock, OutputLock::take(m_output));
        HEADSCOPE_CHECK(checkOutputPath(m_output, m_context.common.overwrite)); // who held it may have made it
        HEADSCOPE_CHECK(checkShardFolder(shardFolder(m_output)));
        std::vector<TopicList> topicLists;
        if (!m_request.topics.empty())
        {
            HEADSCOPE_TRY(topicLists, readTopicLists(m_request.topics));
        }
        CardOptions cardOptions;
        cardOptions.threads = m_context.common.numThreads();
        HEADSCOPE_TRY(auto model, openModelAndTokenizer(m_request.model, cardOptions, m_context.job));
        notices(model.card.warnings);
        HEADSCOPE_TRY(const auto options, extractionOptions(model));
        HEADSCOPE_TRY(const auto encoder, makeEncoder(model));
        m_summary.loadSeconds = secondsSince(start);

        HEADSCOPE_TRY(const auto reader, DocumentReader::open(m_request.inputs, m_request.documents, m_context.job));
        notices(reader->notices());
        if (reader->count() == 0)
            return Error{ErrorCode::BadFormat,
                         "expected at least one document, found none",
                         m_request.inputs.front().string(),
                         {}};

        const auto beforeWeights = Clock::now();
        HEADSCOPE_CHECK(checkMemoryOf(model, options, static_cast<std::uint64_t>(reader->count())));
        HEADSCOPE_CHECK(checkDiskOf(model, options, static_cast<std::uint64_t>(reader->count())));
        HEADSCOPE_CHECK(addHashes(model.files, model.card, m_context.job));
        HEADSCOPE_TRY(const auto extractor, HeadExtractor::create(model.files, options, m_context.job));
        m_summary.loadSeconds += secondsSince(beforeWeights);

        const Traces traces(m_output, m_context.signals);
        HEADSCOPE_TRY(auto documents, extractDocuments(extractor, *reader, encoder));
        HEADSCOPE_CHECK(applyTopicLists(topicLists, m_request.label, documents));
        HEADSCOPE_TRY(const auto topics, embedTopics(extractor, encoder, documents));
        HEADSCOPE_CHECK(writeCache(model, options, std::move(documents), topics));
        m_summary.device = options.backend.device;
        m_summary.peakBytes = peakBytes();
        m_summary.totalSeconds = secondsSince(start);
        return std::move(m_summary);
    }

private:
    /// What would be found out after hours is found out now.
    Status checkOutput()
    {
        namespace fs = std::filesystem;
        std::vector<fs::path> inputs = m_request.inputs;
        inputs.insert(inputs.end(), {m_request.model, m_request.topics, m_request.documents.labelMap});
        std::error_code ignored;
        if (fs::exists(m_request.output, ignored)) // else it cannot be one of the files of a folder
        {
            for (const fs::path& named : m_request.inputs)
                addFilesIn<fs::recursive_directory_iterator>(named, inputs);
            addFilesIn<fs::recursive_directory_iterator>(m_request.model, inputs);
            // A model may be named by any one of its files.
            if (fs::is_regular_file(m_request.model, ignored) && m_request.model.extension() != ".gguf")
                addFilesIn<fs::directory_iterator>(fs::absolute(m_request.model, ignored).parent_path(), inputs);
        }
        HEADSCOPE_CHECK(checkOutputPath(m_request.output, m_context.common.overwrite, inputs));
        HEADSCOPE_TRY(m_output, placeBehindLinks(m_request.output));
        return {};
    }

    void notices(const std::vector<std::string>& sentences)
    {
        m_context.progress.clear();
        for (const auto& sentence : sentences)
            m_context.console.say("note: " + sentence);
    }

    Result<ExtractionOptions> extractionOptions(const OpenedModel& model)
    {
        ExtractionOptions options;
        options.stages = m_request.stages;
        HEADSCOPE_TRY(options.layers, parseLayers(m_request.layers, model.card.info.layers));
        HEADSCOPE_TRY(options.pooling, model.pooling(m_request.pooling));
        options.backend = m_request.backend;
        options.threads = m_context.common.numThreads();
        if (m_request.memory > 0)
        {
            HEADSCOPE_TRY(options.memory.longestDocument, model.maxTokens(m_request.maxTokens));
            options.memory.total = m_request.memory;
            options.memory.reserved = programBytes(model.files.config) + m_request.shardBytes;
        }
        return options;
    }

    /// Bytes of one document's vectors as they are stored.
    [[nodiscard]] std::uint64_t storedBytes(const std::vector<ExtractionBlock>& blocks) const
    {
        std::uint64_t bytes = 0;
        for (const ExtractionBlock& block : blocks)
            bytes += static_cast<std::uint64_t>(block.heads * block.dims) * numberBytes(m_request.store);
        return bytes;
    }

    /// What would not fit on the disk is refused before a weight is read.
    Status checkDiskOf(const OpenedModel& model, const ExtractionOptions& options, std::uint64_t documents) const
    {
        HEADSCOPE_TRY(const auto blocks, extractionBlocks(model.files.config, options));
        constexpr std::uint64_t kTimes = 2; // its parts lie beside the cache until it is whole
        return checkFreeSpace(m_output, kTimes * documents * storedBytes(blocks));
    }

    /// A run on the CPU that would not fit is refused before a weight is read.
    Status checkMemoryOf(const OpenedModel& model, const ExtractionOptions& options, std::uint64_t documents) const
    {
        if (!options.backend.onCpu() || m_request.memory > 0)
            return {};
        HEADSCOPE_TRY(const auto blocks, extractionBlocks(model.files.config, options));
        const CardOptions choices{.lastLayer = blocks.back().layer.value(),
                                  .threads = options.threads,
                                  .longestDocument = m_maxTokens,
                                  .vectorBytes = std::min(m_request.shardBytes, documents * storedBytes(blocks))};
        return checkMemory(estimateMemory(model.files, choices), freeMemory());
    }

    Result<TextEncoder> makeEncoder(const OpenedModel& model)
    {
        HEADSCOPE_TRY(m_maxTokens, model.maxTokens(m_request.maxTokens));
        TextOptions options;
        options.encode = m_request.encode;
        options.encode.maxTokens = static_cast<std::size_t>(m_maxTokens);
        options.prompt = m_request.prompt;
        options.promptBelongsToMean = model.card.sentence.includePrompt;
        return TextEncoder::create(model.tokenizer, std::move(options));
    }

    Result<DocumentSet> extractDocuments(const HeadExtractor& extractor, DocumentReader& reader,
                                         const TextEncoder& encoder)
    {
        ShardOptions shards;
        shards.folder = shardFolder(m_output);
        shards.blocks = extractor.blocks();
        shards.store = m_request.store;
        shards.shardBytes = m_request.shardBytes;
        shards.run = m_context.command;
        HEADSCOPE_TRY(const auto writer, ShardWriter::create(std::move(shards)));
        TimedSink sink(*writer);
        JobContext quiet(m_context.signals.token()); // progress is the extractor's to report
        DocumentFeed feed(reader, encoder, quiet);
        HEADSCOPE_TRY(const auto report, extractor.run([&feed] { return feed.next(); }, sink,
                                                       static_cast<std::uint64_t>(reader.count()), m_context.job));
        const auto beforeFinish = Clock::now();
        HEADSCOPE_CHECK(writer->finish());
        notices(report.warnings(extractor.blocks()));
        m_nonFinite = report.nonFinite;
        m_summary.tokenizeSeconds = feed.seconds();
        m_summary.computeSeconds = report.seconds;
        m_summary.tokensPerSecond = report.seconds > 0 ? static_cast<double>(report.tokens) / report.seconds : 0;
        m_summary.writeSeconds = sink.seconds() + secondsSince(beforeFinish);
        return feed.takeDocuments();
    }

    Result<std::vector<TopicVectors>> embedTopics(const HeadExtractor& extractor, const TextEncoder& encoder,
                                                  const DocumentSet& documents)
    {
        std::vector<TopicVectors> topics;
        for (const auto& column : documents.labels)
        {
            const auto count = column.categories.size();
            if (count == 0)
                continue;
            CollectingSink sink(extractor.blocks(), static_cast<std::int64_t>(count));
            HEADSCOPE_TRY(const auto report,
                          extractor.run(streamOfTexts(column.categories, encoder), sink, count, m_context.job));
            m_summary.computeSeconds += report.seconds;
            for (auto& vectors : sink.take())
                topics.push_back({column.name, column.categories, std::move(vectors)});
        }
        return topics;
    }

    Status writeCache(const OpenedModel& model, const ExtractionOptions& options, DocumentSet documents,
                      const std::vector<TopicVectors>& topics)
    {
        const auto start = Clock::now();
        CacheHeader header;
        header.model = model.card.info;
        header.command = m_context.command;
        header.tokenizerSha256 = model.tokenizer.sha256();
        header.pooling = poolingName(options.pooling);
        header.eos = m_request.encodeChoices.eos;
        header.maxTokens = m_maxTokens;
        header.computeDtype = "f32";
        header.device = options.backend.device;
        HEADSCOPE_TRY(const auto merged, mergeShards(shardFolder(m_output), m_output, std::move(header),
                                                     std::move(documents), topics, m_context.job));
        m_summary.documents = merged.documents;
        m_summary.tokens = merged.tokens;
        m_summary.empty = merged.empty;
        m_summary.truncated = merged.truncated;
        m_summary.nonFinite = merged.nonFinite;
        if (m_request.store == NumberType::F16 && merged.nonFinite > m_nonFinite)
            notices({fmt::format("{} documents hold numbers beyond 65,504, the largest that --store f16 keeps; bf16 "
                                 "and f32 keep them",
                                 merged.nonFinite - m_nonFinite)});
        // The cache is there: from here on a stop request changes nothing any more.
        JobContext unstoppable;
        HEADSCOPE_TRY(m_summary.sha256, sha256OfFile(m_output, unstoppable));
        m_summary.writeSeconds += secondsSince(start);
        return {};
    }

    const ExtractRequest& m_request;
    VerbContext& m_context;
    std::filesystem::path m_output; ///< behind links
    std::int64_t m_maxTokens = 0;
    std::int64_t m_nonFinite = 0; ///< documents whose vectors were not finite when they were computed
    ExtractSummary m_summary;
};

} // namespace

Result<ExtractSummary> runExtraction(const ExtractRequest& request, VerbContext& context)
{
    auto summary = Extraction(request, context).run();
    if (summary || summary.error().code != ErrorCode::OutOfMemory ||
        summary.error().message.find("--") != std::string::npos || request.memory > 0)
        return summary;
    Error error = std::move(summary).error();
    error.message += request.backend.onCpu() ? "; --memory reads the layers from disk batch by batch, fewer --threads "
                                               "and --layers take less"
                                             : "; --device cpu has more, and fewer --layers take less";
    return error;
}

} // namespace headscope::engine
