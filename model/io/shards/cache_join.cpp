// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/cache_join.h"

#include "model/base/output/disk_space.h"
#include "model/base/text/natural_order.h"
#include "model/data/ablation_spec.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/cache_writer.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/shards/range_differences.h"
#include "model/io/shards/vector_copy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace headscope
{
namespace
{

Error unfit(const AppendTarget& cache, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), cache.path.string(), {}};
}

bool holdsLastOutput(const CacheInfo& info)
{
    return std::any_of(info.embeddings.begin(), info.embeddings.end(),
                       [](const VectorsInfo& each) { return !each.finalNorm.empty(); });
}

/// What the vectors of a cache depend on, as it is written for people.
std::map<std::string, std::string> settingsOf(const CacheInfo& info)
{
    const CacheHeader& header = info.header;
    std::map<std::string, std::string> settings = {
        {"--pooling", header.pooling},
        {"--prompt", header.prompt},
        {"--max-tokens", std::to_string(header.maxTokens)},
        {"--eos", header.eos},
        {"--special-tokens", header.specialTokens.empty() ? "parse" : header.specialTokens},
        {"--store", std::string(numberTypeName(info.embeddings.front().type))},
        {"--device", header.device.substr(0, header.device.find(':'))},
        {"--dtype", header.computeDtype},
        {"the tokenizer", header.tokenizerSha256},
    };
    settings.merge(ablationSettings(header.model.changes));
    settings["the number of KV groups"] = std::to_string(header.model.kvHeads);
    for (const auto& [file, digest] : header.model.sha256)
        settings[file] = digest;
    return settings;
}

Difference differenceOf(const CacheInfo& one, const CacheInfo& other)
{
    Difference found = settingsDifference(settingsOf(one), settingsOf(other));
    if (found.what.empty() && !one.topics.empty() && !other.topics.empty())
        found = textDifference("--topic-template", one.header.topicTemplate, other.header.topicTemplate);
    if (found.what.empty() && holdsLastOutput(one) && holdsLastOutput(other))
        found = textDifference("--last-layer", one.header.model.lastLayerRaw ? "raw" : "normed",
                               other.header.model.lastLayerRaw ? "raw" : "normed");
    return found;
}

/// No layer and stage, or no id, in two caches.
Status checkDisjoint(const JoinedCaches& joined)
{
    std::map<std::pair<LayerIndex, Stage>, const AppendTarget*> places;
    std::unordered_map<std::string_view, const AppendTarget*> ids;
    for (const AppendTarget& cache : joined.caches)
    {
        for (const VectorsInfo& vectors : cache.info.embeddings)
        {
            const auto [place, isNew] = places.emplace(std::pair(vectors.layer, vectors.stage), &cache);
            if (joined.sameDocuments && !isNew)
                return unfit(cache, fmt::format("expected layers and stages that are not in {} (the documents are the "
                                                "same), found layer {} stage {} in both files: omit one of the files",
                                                place->second->path.string(), vectors.layer.value(),
                                                stageName(vectors.stage)));
        }
        if (joined.sameDocuments)
            continue;
        for (const std::string& id : cache.documents->ids)
            if (const auto [place, isNew] = ids.emplace(id, &cache); !isNew)
                return unfit(cache,
                             fmt::format("expected documents that are not in {}, found the id \"{}\" in both files",
                                         place->second->path.string(), id));
    }
    return {};
}

/// Of caches with the same documents: what besides ids and texts has to be the same.
Status checkSameDocuments(const AppendTarget& first, const AppendTarget& cache)
{
    const DocumentSet& a = *first.documents;
    const DocumentSet& b = *cache.documents;
    const auto differ = [&](std::string_view what) -> Status {
        return unfit(cache, fmt::format("expected the {0} that the same documents have in {1}, found other {0}", what,
                                        first.path.string()));
    };
    if (a.texts != b.texts)
        return differ("texts");
    if (a.tokens != b.tokens)
        return differ("numbers of tokens");
    const bool same =
        std::equal(a.labels.begin(), a.labels.end(), b.labels.begin(), b.labels.end(),
                   [](const LabelColumn& one, const LabelColumn& other) {
                       return one.name == other.name && one.codes == other.codes && one.categories == other.categories;
                   });
    return same ? Status() : differ("labels");
}

/// Categories of all caches: as they are where they are the same, else in natural order.
std::vector<std::string> allCategories(const JoinedCaches& joined, const std::string& name)
{
    std::vector<std::string> first;
    std::set<std::string, NaturalLess> all;
    bool same = true;
    for (const AppendTarget& cache : joined.caches)
    {
        const LabelColumn* column = cache.documents->label(name);
        if (column == nullptr)
            continue;
        same = same && (all.empty() || column->categories == first);
        first = all.empty() ? column->categories : first;
        all.insert(column->categories.begin(), column->categories.end());
    }
    return same ? first : std::vector<std::string>(all.begin(), all.end());
}

std::unordered_map<std::string, std::int32_t> placesOf(const std::vector<std::string>& categories)
{
    std::unordered_map<std::string, std::int32_t> places;
    for (const std::string& category : categories)
        places.emplace(category, static_cast<std::int32_t>(places.size()));
    return places;
}

template <class T>
void appendAll(std::vector<T>& all, const std::vector<T>& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

void appendDocuments(const DocumentSet& more, DocumentSet& all)
{
    for (LabelColumn& column : all.labels)
    {
        const LabelColumn* there = more.label(column.name);
        const auto places = placesOf(column.categories);
        for (std::size_t row = 0; row < more.ids.size(); ++row)
        {
            const auto label = there == nullptr ? std::string() : std::string(there->category(row));
            column.codes.push_back(there == nullptr || there->codes[row] < 0 ? -1 : places.at(label));
        }
    }
    appendAll(all.ids, more.ids);
    appendAll(all.texts, more.texts);
    appendAll(all.tokens, more.tokens);
    appendAll(all.flags, more.flags);
}

DocumentSet joinedDocuments(const JoinedCaches& joined)
{
    DocumentSet all;
    if (joined.sameDocuments)
    {
        all = *joined.caches.front().documents;
        for (const AppendTarget& cache : joined.caches)
            for (std::size_t row = 0; row < all.flags.size(); ++row)
                all.flags[row] |= cache.documents->flags[row];
        return all;
    }
    for (const AppendTarget& cache : joined.caches)
        for (const LabelColumn& column : cache.documents->labels)
            if (all.label(column.name) == nullptr)
                all.labels.push_back({column.name, {}, allCategories(joined, column.name)});
    for (const AppendTarget& cache : joined.caches)
        appendDocuments(*cache.documents, all);
    return all;
}

/// The readers of all caches, which are those that were opened before.
Result<std::vector<std::shared_ptr<CacheReader>>> openAgain(const JoinedCaches& joined, JobContext& job)
{
    std::vector<std::shared_ptr<CacheReader>> readers;
    for (const AppendTarget& cache : joined.caches)
    {
        HEADSCOPE_TRY(auto reader, CacheReader::open(cache.path, job));
        if (reader->origin() != cache.origin)
            return changedMeanwhile(cache.path);
        readers.push_back(std::move(reader));
    }
    return readers;
}

/// The vectors of each category: those of the first cache that has it.
Status writeTopicsOf(const std::vector<std::shared_ptr<CacheReader>>& readers, const LabelColumn& column,
                     const VectorsInfo& block, CacheWriter& target, JobContext& job)
{
    const auto places = placesOf(column.categories);
    const std::int64_t size = block.heads * block.dims;
    std::vector<float> values(column.categories.size() * static_cast<std::size_t>(size));
    std::vector<bool> filled(column.categories.size(), false);
    bool any = false;
    for (const auto& reader : readers)
    {
        if (!reader->hasTopics(column.name, block.layer, block.stage))
            continue;
        HEADSCOPE_TRY(const auto topics, reader->topics(column.name, block.layer, block.stage, job));
        any = true;
        for (std::size_t row = 0; row < topics.names.size(); ++row)
        {
            const auto place = static_cast<std::size_t>(places.at(topics.names[row]));
            if (filled[place])
                continue;
            filled[place] = true;
            const auto from = topics.vectors->values().begin() + static_cast<std::ptrdiff_t>(row) * size;
            std::copy_n(from, size, values.begin() + static_cast<std::ptrdiff_t>(place) * size);
        }
    }
    if (!any)
        return {};
    if (const auto missing = std::find(filled.begin(), filled.end(), false); missing != filled.end())
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected topic vectors of every category of \"{}\", found none of \"{}\": extract "
                                 "--into adds them",
                                 column.name, column.categories[static_cast<std::size_t>(missing - filled.begin())]),
                     readers.front()->path().string(),
                     {}};
    const auto count = static_cast<std::int64_t>(column.categories.size());
    return target.writeTopics({column.name, column.categories,
                               std::make_shared<const HeadVectors>(block.stage, block.layer, count, block.heads,
                                                                   block.dims, std::move(values))},
                              block.type);
}

CacheHeader headerOf(const JoinedCaches& joined, const std::string& command)
{
    CacheHeader header = joined.caches.front().info.header;
    header.command = command;
    header.created.clear();
    header.application.clear();
    for (const AppendTarget& cache : joined.caches)
    {
        const CacheHeader& other = cache.info.header;
        header.model.lastLayerRaw = header.model.lastLayerRaw || other.model.lastLayerRaw;
        if (header.embedding.modules.empty())
            header.embedding = other.embedding;
        if (header.asks.empty())
            header.asks = other.asks;
        header.topicTemplate = header.topicTemplate.empty() ? other.topicTemplate : header.topicTemplate;
        if (&cache != &joined.caches.front() && !joined.sameDocuments && !(header.sample + other.sample).empty())
            header.sample =
                fmt::format("{}; added: {}", header.sample.empty() ? "all documents" : header.sample,
                            other.sample.empty() ? fmt::format("{} documents", cache.info.documents) : other.sample);
    }
    return header;
}

/// Layers and stages of the joined cache, by layer, then by stage.
std::vector<VectorsInfo> joinedBlocks(const JoinedCaches& joined, std::int64_t documents)
{
    std::vector<VectorsInfo> blocks;
    for (const AppendTarget& cache : joined.caches)
    {
        if (joined.sameDocuments || blocks.empty())
            appendAll(blocks, cache.info.embeddings);
    }
    for (VectorsInfo& block : blocks)
        block.documents = documents;
    std::sort(blocks.begin(), blocks.end(), [](const VectorsInfo& a, const VectorsInfo& b) {
        return std::tuple(a.layer, a.stage) < std::tuple(b.layer, b.stage);
    });
    return blocks;
}

Status copyAll(const JoinedCaches& joined, CacheDraft& target, JobContext& job)
{
    std::int64_t begin = 0;
    std::uint64_t done = 0;
    for (const AppendTarget& cache : joined.caches)
    {
        HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(cache.path, job));
        for (const VectorsInfo& vectors : cache.info.embeddings)
            HEADSCOPE_CHECK(copyChecked(file, vectors, begin, target, job));
        begin += joined.sameDocuments ? 0 : cache.info.documents;
        job.report("merging", ++done, joined.caches.size(), "caches");
    }
    return {};
}

} // namespace

Result<bool> isWholeCache(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const auto cache, CacheReader::open(path, job));
    return !cache->info().header.range;
}

Result<JoinedCaches> openCachesToJoin(const std::vector<std::filesystem::path>& paths, JobContext& job)
{
    JoinedCaches joined;
    for (const auto& path : paths)
    {
        HEADSCOPE_TRY(auto cache, openGrowingCache(path, job));
        joined.caches.push_back(std::move(cache));
        const AppendTarget& first = joined.caches.front();
        const AppendTarget& last = joined.caches.back();
        if (const Difference found = differenceOf(first.info, last.info); !found.what.empty())
            return unfit(
                last, fmt::format("expected a cache of the same model and settings as {}, found a different cache: {}",
                                  first.path.string(), found.words()));
        std::vector<std::string> maps = last.info.maps;
        appendAll(maps, last.info.mapSets);
        if (!maps.empty())
            joined.notices.push_back(
                fmt::format("maps of {} are not copied: {}", path.string(), fmt::join(maps, ", ")));
    }
    const AppendTarget& first = joined.caches.front();
    const std::string blocks = blockWords(blocksOfCache(first.info));
    const auto sameIds = [&first](const AppendTarget& cache) { return cache.documents->ids == first.documents->ids; };
    joined.sameDocuments = std::all_of(joined.caches.begin(), joined.caches.end(), sameIds);
    for (const AppendTarget& cache : joined.caches)
    {
        if (joined.sameDocuments)
            HEADSCOPE_CHECK(checkSameDocuments(first, cache));
        else if (const std::string own = blockWords(blocksOfCache(cache.info)); own != blocks)
            return unfit(cache,
                         fmt::format("expected the same documents as {}, or the same layers and stages ({}), found "
                                     "other documents with {}",
                                     first.path.string(), blocks, own));
    }
    HEADSCOPE_CHECK(checkDisjoint(joined));
    return joined;
}

Result<MergeSummary> joinCaches(const JoinedCaches& joined, const std::filesystem::path& target,
                                const std::string& command, JobContext& job)
{
    std::uint64_t bytes = 0;
    for (const AppendTarget& cache : joined.caches)
        bytes += cache.info.fileBytes;
    HEADSCOPE_CHECK(checkFreeSpace(target, bytes));
    HEADSCOPE_TRY(const auto readers, openAgain(joined, job));
    const DocumentSet documents = joinedDocuments(joined);
    const MergeSummary summary = summaryOf(documents);
    CacheHeader header = headerOf(joined, command);
    header.truncated = summary.truncated;

    const auto blocks = joinedBlocks(joined, documents.count());
    HEADSCOPE_TRY(CacheDraft vectors, CacheDraft::create(target, blocks));
    HEADSCOPE_CHECK(copyAll(joined, vectors, job));
    HEADSCOPE_TRY(CacheWriter cache, CacheWriter::create(std::move(vectors), header));
    HEADSCOPE_CHECK(cache.writeDocuments(documents));
    for (const LabelColumn& column : documents.labels)
        for (const VectorsInfo& block : blocks)
            HEADSCOPE_CHECK(writeTopicsOf(readers, column, block, cache, job));
    HEADSCOPE_CHECK(cache.publish(job));
    return summary;
}

} // namespace headscope
