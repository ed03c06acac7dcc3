// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/cache/cache_checks.h"
#include "model/io/cache/cache_reader.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::test
{

/// A cache that is no file: what is put into it, and how often it was asked for. One more implementation of
/// CacheReader, with nothing but its interface and the checks that all share.
class MemoryCache : public CacheReader
{
public:
    /// @param layers  of the model
    MemoryCache(std::int64_t layers, DocumentSet documents)
        : m_documents(std::make_shared<const DocumentSet>(std::move(documents)))
    {
        m_info.header.model.layers = layers;
        m_info.documents = m_documents->count();
    }

    void add(std::shared_ptr<const HeadVectors> vectors)
    {
        m_info.embeddings.push_back(infoOf(*vectors));
        m_info.header.model.heads = std::max(m_info.header.model.heads, vectors->heads());
        m_vectors.push_back(std::move(vectors));
    }
    /// Topic vectors; all of one column.
    void add(TopicVectors topics)
    {
        if (m_info.topics.empty())
            m_info.topics.push_back({topics.column, {}});
        m_info.topics.front().vectors.push_back(infoOf(*topics.vectors));
        m_topics.push_back(std::move(topics));
    }

    [[nodiscard]] int loads() const { return m_loads; }
    [[nodiscard]] int topicLoads() const { return m_topicLoads; }

    [[nodiscard]] Result<std::shared_ptr<CacheReader>> openAgain() const override
    {
        return std::shared_ptr<CacheReader>(std::make_shared<MemoryCache>(m_info.header.model.layers, *m_documents));
    }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }
    [[nodiscard]] const CacheInfo& info() const override { return m_info; }
    [[nodiscard]] const Origin& origin() const override { return m_origin; }
    [[nodiscard]] const std::map<std::string, std::vector<std::string>>& relevant() const override
    {
        return m_relevant;
    }
    [[nodiscard]] Result<std::shared_ptr<const DocumentSet>> documents(JobContext& /*job*/) override
    {
        return m_documents;
    }
    [[nodiscard]] Result<std::shared_ptr<const HeadVectors>> load(LayerIndex layer, Stage stage, DocumentRange range,
                                                                  JobContext& /*job*/) override
    {
        ++m_loads;
        for (const auto& each : m_vectors)
        {
            if (each->layer() != layer || each->stage() != stage)
                continue;
            HEADSCOPE_TRY(const DocumentRange rows, rowsWithin(range, each->documents(), m_path, {}));
            std::vector<std::int64_t> wanted;
            for (std::int64_t row = rows.begin; row < rows.end; ++row)
                wanted.push_back(row);
            return takeRows(each, wanted);
        }
        return noVectors(m_info, layer, stage, m_path);
    }
    [[nodiscard]] Result<TopicVectors> topics(std::string_view column, LayerIndex layer, Stage stage,
                                              JobContext& /*job*/) override
    {
        ++m_topicLoads;
        for (const TopicVectors& each : m_topics)
            if (each.column == column && each.vectors->layer() == layer && each.vectors->stage() == stage)
                return each;
        return noTopics(m_info, column, layer, stage, m_path);
    }
    [[nodiscard]] Result<HeadMap> map(const std::string& name, JobContext& /*job*/) override
    {
        return noMap(m_info, name, m_path);
    }
    [[nodiscard]] Result<HeadMapSet> mapSet(const std::string& name, JobContext& /*job*/) override
    {
        return noMapSet(m_info, name, m_path);
    }

private:
    static VectorsInfo infoOf(const HeadVectors& vectors)
    {
        return {vectors.layer(), vectors.stage(), vectors.documents(),
                vectors.heads(), vectors.dims(),  NumberType::F32};
    }

    std::filesystem::path m_path = "memory";
    CacheInfo m_info;
    Origin m_origin;
    std::map<std::string, std::vector<std::string>> m_relevant;
    std::shared_ptr<const DocumentSet> m_documents;
    std::vector<std::shared_ptr<const HeadVectors>> m_vectors;
    std::vector<TopicVectors> m_topics;
    int m_loads = 0;
    int m_topicLoads = 0;
};

} // namespace headscope::test
