// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/workflows/open_cache.h"

#include <utility>

namespace headscope::desktop
{

Result<OpenedCache> openCache(const std::filesystem::path& path, JobContext& job)
{
    job.report("opening", 0, 0);
    HEADSCOPE_TRY(auto reader, CacheReader::open(path));
    const CacheInfo& info = reader->info();
    auto overview = std::make_shared<ui::CacheOverview>();
    overview->path = path.string();
    overview->bytes = info.fileBytes;
    overview->model = info.header.model;
    if (overview->model.name.empty())
        overview->model.name = path.stem().string();
    HEADSCOPE_TRY(overview->documents, reader->documents(job));
    for (const VectorsInfo& vectors : info.embeddings)
        overview->stages[vectors.layer].push_back(vectors.stage);
    for (const TopicColumnInfo& topics : info.topics)
        overview->topicColumns.push_back(topics.column);

    OpenedCache opened{reader, overview, {}, info.notices};
    for (const std::string& name : info.maps)
    {
        HEADSCOPE_CHECK(job.checkStop());
        auto map = reader->map(name, job);
        if (map)
            opened.maps.push_back(std::make_shared<const HeadMap>(std::move(*map)));
        else
            opened.notices.push_back(map.error().sentence());
    }
    return opened;
}

Result<SourceData> loadSource(CacheReader& reader, LayerIndex layer, Stage stage, int numThreads, JobContext& job)
{
    job.report("reading vectors", 0, 0);
    SourceData data;
    HEADSCOPE_TRY(data.vectors, reader.load(layer, stage, {}, job));
    HEADSCOPE_CHECK(job.checkStop());
    data.strengths = std::make_shared<const ui::Strengths>(ui::strengthsOf(*data.vectors, numThreads));
    return data;
}

} // namespace headscope::desktop
