// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/head_vectors.h"
#include "model/data/maps/head_map.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/topic_vectors.h"
#include "model/io/cache/cache_draft.h"
#include "model/io/cache/cache_info.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headscope
{

/// "f32", "f16", "bf16" as --store takes them.
[[nodiscard]] std::optional<NumberType> storeTypeFromName(std::string_view name);

/// Writes a cache: the parts in any order, then publish(). Until then nothing is visible; a writer that is destroyed
/// before removes its part file. The first error is kept and returned by publish().
/// @threads one at a time
class CacheWriter
{
public:
    /// @errors Resource (no permission, disk full)
    [[nodiscard]] static Result<CacheWriter> create(const std::filesystem::path& target, const CacheHeader& header);
    /// The same around vectors that are written.
    [[nodiscard]] static Result<CacheWriter> create(CacheDraft part, const CacheHeader& header);

    /// Ids, texts, token counts, flags and labels of N documents.
    Status writeDocuments(const DocumentSet& documents);
    /// One stage of one layer, whole.
    /// @param store  F32, F16 or Bf16
    Status writeVectors(const HeadVectors& vectors, NumberType store);
    Status writeTopics(const TopicVectors& topics, NumberType store);
    Status writeMap(const HeadMap& map);
    Status writeMapSet(const HeadMapSet& set);

    /// Reads everything back, compares it with what was handed over, adds /checksums, syncs and renames.
    /// @errors Resource (disk full, ...), Cancelled
    /// @cost   one read of the file
    [[nodiscard]] Status publish(JobContext& job);

private:
    static Result<CacheWriter> begin(Hdf5Writer file, const CacheHeader& header);
    explicit CacheWriter(Hdf5Writer file) : m_file(std::move(file)) {}
    Status writeHeader(const CacheHeader& header);
    Status writeAsks(const FactLines& asks);
    Status writeNumbers(const std::string& dataset, std::span<const std::int64_t> shape, NumberType type,
                        std::span<const std::byte> raw);
    Status writeTexts(const std::string& dataset, std::span<const std::string> values);
    Status writeBlock(const std::string& dataset, const HeadVectors& vectors, NumberType store);

    Hdf5Writer m_file;
    EmbeddingSource m_embedding; ///< said of the dataset at the end, when it is there
    ChecksumTable m_handedOver;  ///< digests of what was written whole, taken from memory
};

/// Everything of a small cache, in memory.
struct CacheContents
{
    CacheHeader header;
    DocumentSet documents;
    std::vector<std::shared_ptr<const HeadVectors>> embeddings;
    std::vector<TopicVectors> topics;
    std::vector<HeadMap> maps;
};

/// Writes a cache in one go.
/// @param store  F32, F16 or Bf16
/// @errors ShapeMismatch (vectors and documents differ in number), Resource, Cancelled
[[nodiscard]] Status writeCache(const std::filesystem::path& target, const CacheContents& contents, NumberType store,
                                JobContext& job);

/// Puts a map into an existing cache, under its name, in place of one of that name: a copy is changed
/// and renamed over the cache, so that at any moment the old or the new file stands there. Who comes at the same
/// time, of this or another process, waits until it is done.
/// @param map      where it has an origin, only into a cache of that one
/// @param replace  whether a map of that name may be replaced
/// @errors WrongUse (the name is taken), InvalidArgument (another cache than the map's), FileNotFound, BadFormat,
///         Resource, Cancelled
[[nodiscard]] Status saveMap(const std::filesystem::path& cache, const HeadMap& map, bool replace, JobContext& job);
/// The same for several maps at once, of one origin and with different names: all of them, or none.
[[nodiscard]] Status saveMaps(const std::filesystem::path& cache, std::span<const HeadMap> maps, bool replace,
                              JobContext& job);
/// The same for an aligned set.
[[nodiscard]] Status saveMapSet(const std::filesystem::path& cache, const HeadMapSet& set, bool replace,
                                JobContext& job);

/// Writes a map alone, as `tsne -o M.h5` does.
[[nodiscard]] Status writeMapFile(const std::filesystem::path& target, const HeadMap& map, JobContext& job);
/// Writes several maps, with different names, as `tsne --seeds N -o M.h5` does.
[[nodiscard]] Status writeMapsFile(const std::filesystem::path& target, std::span<const HeadMap> maps, JobContext& job);
/// Writes an aligned set alone, as `tsne --aligned -o M.h5` does.
[[nodiscard]] Status writeMapSetFile(const std::filesystem::path& target, const HeadMapSet& set, JobContext& job);

} // namespace headscope
