// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/head_vectors.h"
#include "model/data/maps/head_map.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/origin.h"
#include "model/data/topic_vectors.h"
#include "model/io/cache/cache_info.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Documents [begin, end) of a cache.
struct DocumentRange
{
    std::int64_t begin = 0;
    std::int64_t end = -1; ///< -1: to the last
};

/// Which list of a file that holds two is opened; a cache has one, whatever is asked for.
enum class CachePart
{
    Documents,
    Queries, ///< of multi-head retrieval JSON
};

/// A cache opened for reading: an HDF5 file, or the JSON of multi-head retrieval, which is then held in
/// memory.
///
/// Opening reads attributes and shapes and refuses what is no cache, of a newer version, or does not
/// fit together. A dataset's checksum is verified when it is first read, before any number of it is
/// returned; later reads of it are not verified again. Numbers are read in pieces of a few MB, so a
/// cache may be larger than memory; what is returned has to fit.
/// @threads any; reads of one process follow one another
class CacheReader
{
public:
    /// @errors FileNotFound, BadFormat (no cache, damaged, inconsistent), Unsupported (newer version), Resource
    [[nodiscard]] static Result<std::shared_ptr<CacheReader>> open(const std::filesystem::path& path,
                                                                   CachePart part = CachePart::Documents);
    /// Opens the file again after this program has put a map into it; its origin stays what it was.
    /// @errors those of open()
    [[nodiscard]] Result<std::shared_ptr<CacheReader>> openAgain() const;
    ~CacheReader();
    CacheReader(const CacheReader&) = delete;
    CacheReader& operator=(const CacheReader&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const;
    [[nodiscard]] const CacheInfo& info() const;
    /// What results made from its numbers carry (cache_identity.h).
    [[nodiscard]] const Origin& origin() const;
    /// Of queries: the ids of the documents that each should find, where the file says so.
    [[nodiscard]] const std::map<std::string, std::vector<std::string>>& relevant() const;

    /// The dataset of this layer and stage, or null.
    [[nodiscard]] const VectorsInfo* find(LayerIndex layer, Stage stage) const;

    /// Ids, texts, tokens, flags and labels of all documents; read once, then shared. A cache without
    /// ids gives row numbers.
    /// @errors BadFormat (damaged, lengths that differ, codes outside of the categories), Cancelled
    [[nodiscard]] Result<std::shared_ptr<const DocumentSet>> documents(JobContext& job);

    /// Head vectors of a layer and stage as float32, for a range of documents.
    /// @errors InvalidArgument (not in this cache, with what is; range out of bounds), BadFormat (checksum),
    ///         OutOfMemory, Cancelled
    /// @cost   the first read of a dataset reads all of it, for its checksum
    [[nodiscard]] Result<std::shared_ptr<const HeadVectors>> load(LayerIndex layer, Stage stage, DocumentRange range,
                                                                  JobContext& job);

    /// Topic vectors of a label column; row c is category c of the column.
    /// @errors InvalidArgument (none for this column, layer or stage, with what there is), BadFormat, Cancelled
    [[nodiscard]] Result<TopicVectors> topics(std::string_view column, LayerIndex layer, Stage stage, JobContext& job);
    /// Whether topics() has something for these.
    [[nodiscard]] bool hasTopics(std::string_view column, LayerIndex layer, Stage stage) const;

    /// One of info().maps, or "SET/MEMBER" of info().mapSets.
    /// @errors InvalidArgument (no such map), BadFormat (damaged, points of documents or heads that are not here)
    [[nodiscard]] Result<HeadMap> map(const std::string& name, JobContext& job);

    /// One of info().mapSets with all its maps, full first, then by name.
    /// @errors InvalidArgument (no such set), those of map()
    [[nodiscard]] Result<HeadMapSet> mapSet(const std::string& name, JobContext& job);

private:
    struct State;
    explicit CacheReader(std::unique_ptr<State> state);

    std::unique_ptr<State> m_state;
};

/// Full vectors (model/io/FORMAT.md, section 1) of documents or topics.
struct FullVectors
{
    std::shared_ptr<const HeadVectors> vectors; ///< heads one after another are the full vector
    std::string source;                         ///< for people: what the full vector is

    /// [N, D], one row a document.
    [[nodiscard]] ConstMatrixView matrix() const
    {
        const HeadVectors& all = *vectors;
        return {all.values().data(), all.documents(), all.heads() * all.dims()};
    }
};

/// The full vectors of the documents of a cache and of the topics of a label column, by one rule for
/// both: the uncut stage 3 of the last layer where the cache holds it (for the topics too, where a
/// column is asked for), else the heads of the chosen stage one after another, and `source` says so.
struct FullPair
{
    FullVectors documents;
    FullVectors topics; ///< vectors is null when no column was asked for
};
[[nodiscard]] Result<FullPair> fullVectors(CacheReader& cache, LayerIndex layer, Stage stage,
                                           const std::optional<std::string>& topicColumn, JobContext& job);

} // namespace headscope
