// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/cache/cache_datasets.h"
#include "model/io/cache/cache_reader.h"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// A cache in an HDF5 file (model/io/FORMAT.md, section 2).
///
/// Opening reads attributes and shapes and refuses what is no cache, of a newer version, or does not
/// fit together. Datasets are verified as Hdf5Reader says, and read in pieces of a few MB, so a
/// cache may be larger than memory; what is returned has to fit.
/// @threads any; reads of one process follow one another
class HdfCacheReader : public CacheReader
{
public:
    /// @errors FileNotFound, BadFormat (no cache, damaged, inconsistent), Unsupported (newer version), Resource
    [[nodiscard]] static Result<std::shared_ptr<HdfCacheReader>> open(const std::filesystem::path& path,
                                                                      JobContext& job);

    [[nodiscard]] Result<std::shared_ptr<CacheReader>> openAgain() const override;
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }
    [[nodiscard]] const CacheInfo& info() const override { return m_info; }
    [[nodiscard]] const Origin& origin() const override { return m_origin; }
    /// Empty: this file says nothing of it.
    [[nodiscard]] const std::map<std::string, std::vector<std::string>>& relevant() const override
    {
        return m_relevant;
    }
    [[nodiscard]] Result<std::shared_ptr<const DocumentSet>> documents(JobContext& job) override;
    [[nodiscard]] Result<std::shared_ptr<const HeadVectors>> load(LayerIndex layer, Stage stage, DocumentRange range,
                                                                  JobContext& job) override;
    [[nodiscard]] Result<TopicVectors> topics(std::string_view column, LayerIndex layer, Stage stage,
                                              JobContext& job) override;
    [[nodiscard]] Result<HeadMap> map(const std::string& name, JobContext& job) override;
    [[nodiscard]] Result<HeadMapSet> mapSet(const std::string& name, JobContext& job) override;

private:
    HdfCacheReader(std::filesystem::path path, Hdf5Reader file, CacheInfo info, Origin origin);

    [[nodiscard]] Result<LabelColumn> label(const std::string& name) const;
    [[nodiscard]] Result<DocumentSet> readDocuments(JobContext& job) const;

    std::filesystem::path m_path;
    CacheDatasets m_datasets;
    CacheInfo m_info;
    Origin m_origin;
    std::map<std::string, std::vector<std::string>> m_relevant;
    std::mutex m_mutex;                             ///< guards the one below
    std::shared_ptr<const DocumentSet> m_documents; ///< null until first read
};

} // namespace headscope
