// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/cache/cache_reader.h"
#include "model/io/results/retrieval_json.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// One list of a multi-head retrieval file as a cache. All of it is read when it is opened and held in memory; there
/// are no topic vectors and no maps in it.
/// @threads any
class RetrievalCacheReader : public CacheReader
{
public:
    /// @errors those of readRetrievalJson
    /// @cost   that of readRetrievalJson
    [[nodiscard]] static Result<std::shared_ptr<RetrievalCacheReader>> open(const std::filesystem::path& path,
                                                                            JobContext& job, RetrievalPart part);

    /// The same list again.
    [[nodiscard]] Result<std::shared_ptr<CacheReader>> openAgain() const override;
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }
    [[nodiscard]] const CacheInfo& info() const override { return m_info; }
    [[nodiscard]] const Origin& origin() const override { return m_origin; }
    [[nodiscard]] const std::map<std::string, std::vector<std::string>>& relevant() const override
    {
        return m_relevant;
    }
    [[nodiscard]] Result<std::shared_ptr<const DocumentSet>> documents(JobContext& job) override;
    /// @cost  all documents: none, the vectors are shared; some of them: a copy of their rows
    [[nodiscard]] Result<std::shared_ptr<const HeadVectors>> load(LayerIndex layer, Stage stage, DocumentRange range,
                                                                  JobContext& job) override;
    [[nodiscard]] Result<TopicVectors> topics(std::string_view column, LayerIndex layer, Stage stage,
                                              JobContext& job) override;
    [[nodiscard]] Result<HeadMap> map(const std::string& name, JobContext& job) override;
    [[nodiscard]] Result<HeadMapSet> mapSet(const std::string& name, JobContext& job) override;

private:
    RetrievalCacheReader(std::filesystem::path path, RetrievalPart part, RetrievalContents contents);

    std::filesystem::path m_path;
    RetrievalPart m_part;
    std::vector<std::shared_ptr<const HeadVectors>> m_vectors; ///< by layer, then stage
    std::map<std::string, std::vector<std::string>> m_relevant;
    std::shared_ptr<const DocumentSet> m_documents;
    CacheInfo m_info;
    Origin m_origin;
};

} // namespace headscope
