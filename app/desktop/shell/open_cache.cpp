// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/open_cache.h"

#include "model/data/documents/label_merge.h"
#include "model/io/texts/document_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace headscope::desktop
{

namespace
{

/// How the vectors are stored, as `inspect` names it: "float16", or "float16, float32" where stages differ. They were
/// computed in another precision where the cache says so, which is not what a reader of them has.
std::string storedTypes(const CacheInfo& info)
{
    std::set<std::string> names;
    for (const VectorsInfo& vectors : info.embeddings)
        names.emplace(numberTypeName(vectors.type));
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

Result<OpenedCache> openCache(const std::filesystem::path& path, JobContext& job,
                              const std::optional<WorkPlaces>& places)
{
    job.report("opening", 0, 0);
    HEADSCOPE_TRY(auto reader, CacheReader::open(path, job));
    const CacheInfo& info = reader->info();
    auto overview = std::make_shared<ui::CacheOverview>();
    overview->path = path.string();
    overview->bytes = info.fileBytes;
    overview->model = info.header.model;
    if (overview->model.name.empty())
        overview->model.name = path.stem().string();
    overview->pooling = info.header.pooling;
    overview->asks = info.header.asks;
    overview->dtype = storedTypes(info);
    overview->maxTokens = info.header.maxTokens;
    overview->truncated = info.header.truncated;
    HEADSCOPE_TRY(overview->documents, reader->documents(job));
    for (const VectorsInfo& vectors : info.embeddings)
        if (vectors.stage == Stage::Embedding) // beside the layers, and without heads
            overview->embedding = vectors.layer;
        else
            overview->stages[vectors.layer].push_back(vectors.stage);
    for (const TopicColumnInfo& topics : info.topics)
        overview->topicColumns.push_back(topics.column);

    OpenedCache opened{reader, overview, {}, info.notices, {}, {}};
    for (const std::string& name : info.maps)
    {
        HEADSCOPE_CHECK(job.checkStop());
        auto map = reader->map(name, job);
        if (map)
            opened.maps.push_back(std::make_shared<const HeadMap>(std::move(*map)));
        else
            opened.notices.push_back(map.error().sentence());
    }
    if (places)
        opened.work = findWork(*reader, *places);
    return opened;
}

Result<SourceData> loadSource(CacheReader& reader, LayerIndex layer, Stage stage, int numThreads, JobContext& job)
{
    job.report("reading vectors", 0, 0);
    SourceData data;
    HEADSCOPE_TRY(data.vectors, reader.load(layer, stage, {}, job));
    HEADSCOPE_CHECK(job.checkStop());
    ui::Strengths strengths = ui::strengthsOf(*data.vectors, numThreads);
    strengths.origin = data.origin = reader.origin();
    data.strengths = std::make_shared<const ui::Strengths>(std::move(strengths));
    return data;
}

Result<MergedOverview> mergeColumn(const OpenedCache& cache, const std::string& column,
                                   const std::filesystem::path& labelMap)
{
    HEADSCOPE_TRY(const auto names, readLabelMap(labelMap));
    auto made = mergeColumn(cache, column, names);
    if (!made && made.error().code == ErrorCode::InvalidArgument && cache.overview->documents->label(column) != nullptr)
        return std::move(made).error().inFile(labelMap.string());
    if (made)
        made->column.labelMap = std::filesystem::absolute(labelMap).string();
    return made;
}

Result<MergedOverview> mergeColumn(const OpenedCache& cache, const std::string& column,
                                   const std::map<std::string, std::string>& names)
{
    // Merging what was merged starts from the column in the cache again.
    const auto before = cache.merged.find(column);
    const std::string& source = before == cache.merged.end() ? column : before->second.source;
    const LabelColumn* labels = cache.overview->documents->label(source);
    if (labels == nullptr)
        return Error{ErrorCode::InvalidArgument, "this cache does not have these labels", cache.overview->path, {}};
    MergedLabels merged = mergeLabels(*labels, names);
    if (merged.unknown.size() == names.size())
        return Error{
            ErrorCode::InvalidArgument, fmt::format("this label map names no label of \"{}\"", source), {}, {}};
    MergedOverview made;
    made.name = source + ", merged";
    made.column = {source, std::move(merged.topicRows), {}};
    if (!merged.unknown.empty())
        made.notice = merged.unknownNotice(names.size(), source);
    DocumentSet documents = *cache.overview->documents;
    std::erase_if(documents.labels, [&](const LabelColumn& each) { return each.name == made.name; });
    merged.column.name = made.name;
    documents.labels.push_back(std::move(merged.column));
    ui::CacheOverview overview = *cache.overview;
    overview.documents = std::make_shared<const DocumentSet>(std::move(documents));
    std::erase(overview.topicColumns, made.name);
    if (std::ranges::find(overview.topicColumns, source) != overview.topicColumns.end())
        overview.topicColumns.push_back(made.name);
    made.overview = std::make_shared<const ui::CacheOverview>(std::move(overview));
    return made;
}

} // namespace headscope::desktop
