// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/growth/growth.h"

#include "app/engine/encode_options.h"
#include "app/engine/extraction/cache_run.h"
#include "app/engine/extraction/extraction_output.h"
#include "app/engine/extraction/shard_settings.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/growth/growth_checks.h"
#include "app/engine/growth/growth_feed.h"
#include "app/engine/growth/growth_plan.h"
#include "app/engine/inspect/model_asks.h"
#include "model/base/output/disk_space.h"
#include "model/io/results/work_file.h"
#include "model/io/shards/range_differences.h"
#include "model/io/shards/shard_folder.h"
#include "model/net/run/extraction_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

namespace headscope::engine
{
namespace
{

namespace fs = std::filesystem;

constexpr const char* kIntoSetting = "--into"; ///< the cache that is added to, among the settings of shards

/// The layers and stages of some blocks as options: their product holds all of them.
void chooseBlocks(const std::vector<ExtractionBlock>& blocks, ExtractionOptions& options)
{
    std::set<std::int64_t> layers;
    std::set<Stage> stages;
    for (const ExtractionBlock& block : blocks)
    {
        layers.insert(block.layer.value());
        stages.insert(block.stage);
    }
    options.layers.assign(layers.begin(), layers.end());
    options.stages.assign(stages.begin(), stages.end());
}

/// A cache that is added to: what it lacks is extracted, and its rows are kept.
class Growth : public CacheRun
{
public:
    using CacheRun::CacheRun;

protected:
    Status begin() override
    {
        for (const fs::path& folder : folders())
            HEADSCOPE_CHECK(checkShardFolder(folder));
        HEADSCOPE_TRY(m_cache, openGrowingCache(m_output, m_context.job));
        return {};
    }

    /// Where parts are gathered: alone, or of new layers and stages; of new documents beside these.
    std::vector<fs::path> folders() const override
    {
        fs::path documents = m_output;
        documents += ".documents";
        return {shardFolder(m_output), shardFolder(documents)};
    }

    Result<fs::path> checkedPlace() const override
    {
        std::error_code ignored;
        if (!fs::exists(m_request.output, ignored))
            return Error{ErrorCode::FileNotFound,
                         "this cache does not exist: extract -o creates a new cache",
                         m_request.output.string(),
                         {}};
        constexpr auto kWritable = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
        if ((fs::status(m_request.output, ignored).permissions() & kWritable) == fs::perms::none)
            return Error{ErrorCode::Resource, "this cache is read-only", m_request.output.string(), {}};
        return checkedOutput(m_request, true);
    }

    /// Layers and stages that were not asked for are those of the cache.
    Result<ExtractionOptions> chooseOptions() override
    {
        ExtractionRequest request = m_request;
        const bool ownLayers = request.layers.empty();
        if (ownLayers)
            request.layers = "last"; // replaced below
        HEADSCOPE_TRY(auto options, extractionOptions(request, model(), m_context.common.numThreads()));
        ExtractionOptions there;
        chooseBlocks(blocksOfCache(m_cache.info), there);
        if (ownLayers)
            options.layers = there.layers;
        const bool ownStages = options.stages.empty();
        if (ownStages)
            options.stages = there.stages;
        HEADSCOPE_CHECK(addEmbedding(ownStages ? "none" : m_request.run.embedding, model(), options));
        return options;
    }

    Status checkSettings() override
    {
        HEADSCOPE_CHECK(checkSameSettings(m_cache, m_request, model(), m_options, m_maxTokens, m_ablation));
        HEADSCOPE_TRY(m_wanted, extractionBlocks(model().files.config, m_options));
        HEADSCOPE_CHECK(m_context.models.hash(m_context.job));
        return checkSameFiles(m_cache, model());
    }

    Result<bool> plan() override
    {
        HEADSCOPE_TRY(m_documents, readDocuments());
        HEADSCOPE_CHECK(applyTopicLists(m_topicLists, m_request.label, m_documents.numbers, m_documents.all));
        m_plan = planGrowth(m_cache, m_documents, m_wanted);
        noteAdded();
        if (m_summary.added->isEmpty())
        {
            leaveAsItIs();
            return false;
        }
        chooseBlocks(m_plan.computed(m_documents.added() > 0), m_options);
        return true;
    }

    Status checkRoom() override
    {
        const auto count = static_cast<std::uint64_t>(m_documents.all.count());
        HEADSCOPE_CHECK(checkMemoryOf(m_request, model(), m_options, m_maxTokens, count));
        HEADSCOPE_CHECK(checkDisk());
        return verifyGrowingCache(m_cache, m_context.job);
    }

    Status computeDocuments() override
    {
        HEADSCOPE_CHECK(checkSameReference(m_cache, m_ablation));
        auto parts = neededParts(stepTokensOf(m_options));
        m_summary.skipped = m_documents.all.count();
        if (parts.empty())
            return {};
        auto settings = shardSettings(m_request, model(), m_options, m_maxTokens, m_summary.sample, m_ablation);
        settings[kIntoSetting] = m_cache.info.identity;
        std::vector<std::unique_ptr<ShardWriter>> owners;
        std::vector<ShardWriter*> writers;
        bool resumed = false;
        for (GrowthPart& part : parts)
        {
            const std::int64_t count = m_documents.all.count();
            ShardOptions shards;
            shards.folder = folders()[writers.size()];
            shards.blocks = part.blocks;
            shards.settings = settings;
            shards.documents = {part.begin, count, count};
            m_shards.push_back({shards.folder, part.begin});
            HEADSCOPE_TRY(auto writer, openWriter(std::move(shards)));
            resumed = resumed || !writer->kept().empty();
            part.writer = writer.get();
            writers.push_back(writer.get());
            owners.push_back(std::move(writer));
        }
        m_firstBegin = parts.front().begin;
        GrowthFeed feed(m_documents, encoder(), parts);
        HEADSCOPE_CHECK(feed.checkKept());
        GrowthSink split(extractor().blocks(), parts);
        HEADSCOPE_CHECK(runFeed([&feed] { return feed.next(); }, [&feed] { return feed.seconds(); }, split,
                                m_documents.all.count(), writers));
        if (resumed)
            notices(
                {fmt::format("{} of {} documents were done by an earlier run", feed.done(), m_documents.all.count())});
        m_summary.skipped = feed.done();
        return {};
    }

    Result<MergeSummary> makeCache() override
    {
        CacheGrowth growth;
        for (const MissingTopics& missing : m_plan.topics)
        {
            HEADSCOPE_TRY(auto vectors, topicsOf(m_documents.all.labels[missing.column]));
            for (TopicVectors& each : vectors)
                if (std::any_of(missing.blocks.begin(), missing.blocks.end(), [&each](const ExtractionBlock& block) {
                        return block.layer == each.vectors->layer() && block.stage == each.vectors->stage();
                    }))
                    growth.topics.push_back(std::move(each));
        }
        growth.header =
            grownHeader(m_cache, m_request, m_plan, m_documents.added(), m_summary.sample, m_context.command);
        if (growth.header.embedding.modules.empty())
            growth.header.embedding = embeddingSource(m_options, m_plan.blocks);
        if (growth.header.asks.empty()) // of a version that did not keep them
            growth.header.asks = modelAsks(model());
        growth.blocks = m_plan.blocks;
        growth.keepsMaps = m_documents.added() == 0;
        growth.documents = std::move(m_documents.all);
        growth.shards = std::move(m_shards);
        const auto start = Clock::now();
        std::vector<fs::path> used;
        for (const GrowthShards& shards : growth.shards)
            used.push_back(shards.folder);
        auto merged = growCache(m_cache, std::move(growth), m_context.job);
        if (!merged)
            return mergeFailure(std::move(merged).error(), used);
        m_summary.writeSeconds += secondsSince(start);
        return merged;
    }

    void sayKept(const std::vector<ShardWriter*>& writers) override
    {
        const std::int64_t kept = std::ssize(writers.front()->kept()) + writers.front()->stored();
        if (kept > 0)
            notices({fmt::format(
                "{} of {} documents are in {}; the cache is unchanged, and the same command continues with the rest",
                kept, m_documents.all.count() - m_firstBegin, folders()[0].string())});
    }

    void sayLast() override
    {
        const auto& maps = m_summary.added->droppedMaps;
        if (!maps.empty())
            notices({fmt::format("{} map{} of the earlier documents {} no longer in the cache: {}", maps.size(),
                                 maps.size() == 1 ? "" : "s", maps.size() == 1 ? "is" : "are", fmt::join(maps, ", "))});
        std::error_code ignored;
        if (const auto work = workPathBeside(m_output); fs::exists(work, ignored))
            notices({fmt::format("{} holds analyses of the previous version of the cache; the window does not show "
                                 "these analyses with the new version",
                                 work.string())});
    }

private:
    Result<GrownDocuments> readDocuments()
    {
        std::unique_ptr<DocumentReader> reader;
        if (!m_request.inputs.empty())
        {
            DocumentOptions options = m_request.documents;
            const auto without = [](std::vector<std::string> names, const std::vector<std::string>& others) {
                std::erase_if(names, [&others](const std::string& name) {
                    return std::ranges::find(others, name) != others.end();
                });
                return names;
            };
            options.numbersIfThere = without(numberColumnsOf(m_cache.info, *m_cache.documents),
                                             options.labelColumns.value_or(std::vector<std::string>()));
            options.labelsIfThere =
                without(m_cache.info.labels, options.numberColumns.value_or(options.numbersIfThere));
            HEADSCOPE_TRY(reader, DocumentReader::open(m_request.inputs, std::move(options), m_context.job));
            notices(reader->notices());
            m_summary.sample = reader->sample();
        }
        HEADSCOPE_TRY(auto grown,
                      readGrownDocuments(m_cache, reader.get(), m_topicLists, m_request.label, m_context.job));
        for (const LabelColumn& column : grown.all.labels)
            if (auto alike = alikeLabels(column); reader != nullptr && !alike.empty())
                notices({std::move(alike)});
        return grown;
    }

    void noteAdded()
    {
        AddedSummary& added = m_summary.added.emplace();
        added.documents = m_documents.added();
        // The product of layers and stages asked for may be there in part.
        added.vectors = m_plan.missing;
        for (const MissingTopics& topics : m_plan.topics)
            if (topics.names || added.vectors.empty())
                added.topics.push_back(m_documents.all.labels[topics.column].name);
        if (added.documents == 0)
            return;
        added.droppedMaps = m_cache.info.maps;
        added.droppedMaps.insert(added.droppedMaps.end(), m_cache.info.mapSets.begin(), m_cache.info.mapSets.end());
    }

    void leaveAsItIs()
    {
        notices({fmt::format("{} already contains everything: nothing was computed, and the file is unchanged",
                             m_request.output.string())});
        for (const fs::path& folder : folders()) // of a run like this one that was ended after it had published
            if (const auto manifest = readManifest(folder); manifest && manifest->run == m_context.command)
                removeShards(folder);
        const MergeSummary there = summaryOf(*m_cache.documents);
        takeCounts(there);
        m_summary.skipped = there.documents;
    }

    /// The cache anew, beside the old one, and the parts that it is made of.
    Status checkDisk() const
    {
        const auto added = static_cast<std::uint64_t>(m_documents.added());
        const auto all = static_cast<std::uint64_t>(m_documents.all.count());
        const std::uint64_t vectors =
            added * storedBytes(m_plan.there, m_request.store) + all * storedBytes(m_plan.missing, m_request.store);
        constexpr std::uint64_t kTimes = 2;
        return checkFreeSpace(m_output, m_cache.info.fileBytes + kTimes * vectors);
    }

    /// What is to be computed of which documents. The last documents of the cache come along where new ones share a
    /// step with them: the bits of their vectors are those of one run over all then.
    [[nodiscard]] std::vector<GrowthPart> neededParts(std::int64_t stepTokens) const
    {
        std::vector<GrowthPart> parts;
        if (!m_plan.missing.empty())
            parts.push_back({0, 0, m_plan.missing, nullptr});
        if (m_documents.added() > 0)
            parts.push_back(
                {startOfOpenStep(m_cache.documents->tokens, stepTokens), m_documents.before, m_plan.there, nullptr});
        return parts;
    }

    AppendTarget m_cache;
    std::vector<ExtractionBlock> m_wanted; ///< layers and stages, those of the cache or others
    GrownDocuments m_documents;
    GrowthPlan m_plan;
    std::vector<GrowthShards> m_shards;
    std::int64_t m_firstBegin = 0; ///< of the first of them
};

} // namespace

Result<ExtractSummary> runGrowth(const ExtractionRequest& request, VerbContext& context)
{
    return Growth(request, context).run();
}

} // namespace headscope::engine
