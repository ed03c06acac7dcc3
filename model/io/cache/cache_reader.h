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

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Which list to open of a file that holds two; ignored for a cache, which has only one.
enum class CachePart
{
    Documents,
    Queries, ///< of multi-head retrieval JSON
};

/// A cache opened for reading, whatever it is kept in. Each kind of file is a class of its own that implements this:
/// HdfCacheReader (an HDF5 file) and RetrievalCacheReader (the JSON of multi-head retrieval, held in memory). open()
/// is the only place that names them.
///
/// What an implementation owes its callers: info() is known from the opening on and never changes, and what it names
/// can be read; what it does not name is refused with the sentences of cache_checks.h; damage is told before any
/// number is returned; and maps carry origin().
/// @threads any
class CacheReader
{
public:
    /// Opens a file as the kind of cache that its content shows it to be.
    /// @errors FileNotFound, BadFormat (no cache, damaged, inconsistent), Unsupported (newer version), Resource
    [[nodiscard]] static Result<std::shared_ptr<CacheReader>> open(const std::filesystem::path& path,
                                                                   CachePart part = CachePart::Documents);
    /// The same for a job that may be stopped meanwhile.
    /// @errors Cancelled too
    [[nodiscard]] static Result<std::shared_ptr<CacheReader>> open(const std::filesystem::path& path, JobContext& job,
                                                                   CachePart part = CachePart::Documents);
    /// Opens the file again after this program has put a map into it; its origin stays what it was.
    /// @errors those of open()
    [[nodiscard]] virtual Result<std::shared_ptr<CacheReader>> openAgain() const = 0;
    virtual ~CacheReader();
    CacheReader(const CacheReader&) = delete;
    CacheReader& operator=(const CacheReader&) = delete;

    [[nodiscard]] virtual const std::filesystem::path& path() const = 0;
    [[nodiscard]] virtual const CacheInfo& info() const = 0;
    /// The origin that results computed from this cache carry (cache_identity.h).
    [[nodiscard]] virtual const Origin& origin() const = 0;
    /// Of queries: the ids of the documents that each should find, where the file says so.
    [[nodiscard]] virtual const std::map<std::string, std::vector<std::string>>& relevant() const = 0;

    /// The dataset of this layer and stage, or null.
    [[nodiscard]] const VectorsInfo* find(LayerIndex layer, Stage stage) const;

    /// Ids, texts, tokens, flags and labels of all documents; read once, then shared. A cache without
    /// ids gives row numbers.
    /// @errors BadFormat (damaged, lengths that differ, codes outside of the categories), Cancelled
    [[nodiscard]] virtual Result<std::shared_ptr<const DocumentSet>> documents(JobContext& job) = 0;

    /// Head vectors of a layer and stage as float32, for a range of documents.
    /// @errors InvalidArgument (not in this cache, with what is; range out of bounds), BadFormat (checksum),
    ///         OutOfMemory, Cancelled
    /// @cost   the first read of a dataset may read all of it, for its checksum
    [[nodiscard]] virtual Result<std::shared_ptr<const HeadVectors>> load(LayerIndex layer, Stage stage,
                                                                          DocumentRange range, JobContext& job) = 0;

    /// Topic vectors of a label column; row c is category c of the column.
    /// @errors InvalidArgument (none for this column, layer or stage, with what there is), BadFormat, Cancelled
    [[nodiscard]] virtual Result<TopicVectors> topics(std::string_view column, LayerIndex layer, Stage stage,
                                                      JobContext& job) = 0;
    /// Whether topics() has something for these.
    [[nodiscard]] bool hasTopics(std::string_view column, LayerIndex layer, Stage stage) const;

    /// One of info().maps, or "SET/MEMBER" of info().mapSets.
    /// @errors InvalidArgument (no such map), BadFormat (damaged, points of documents or heads that are not here)
    [[nodiscard]] virtual Result<HeadMap> map(const std::string& name, JobContext& job) = 0;

    /// One of info().mapSets with all its maps, full first, then by name.
    /// @errors InvalidArgument (no such set), those of map()
    [[nodiscard]] virtual Result<HeadMapSet> mapSet(const std::string& name, JobContext& job) = 0;

protected:
    CacheReader() = default;
};

} // namespace headscope
