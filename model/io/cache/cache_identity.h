// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/head_vectors.h"
#include "model/data/input_digest.h"
#include "model/data/origin.h"
#include "model/io/cache/cache_info.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_reader.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// Digests that tell one cache from another, in 32 hexadecimal digits. There are two, the second stricter than the
/// first:
///
/// - the identity (CacheInfo::identity) is that of the documents and head vectors. What is kept beside a cache
///   (work_file.h) belongs to it by this;
/// - the origin (CacheReader::origin, originOf) is that of everything that results are computed from: the identity,
/// and the model, labels and topics. Every result carries it, and is shown only while a cache of the same origin is
/// open.
///
/// Both stay when maps are stored in the cache, when the file is moved, renamed or copied, and when the same
/// extraction is made again with the same result; other documents, another order of them, other texts or other
/// vectors give others. Where vectors have no checksums only some rows are compared: that is enough for the identity,
/// while the origin then includes path, size and modification time of the file.
///
/// The identity is taken from the checksums, without reading a vector. Where a dataset has none, its shape and up
/// to 64 rows spread over it stand for it; errors in reading are reported by the code that needs the data.
[[nodiscard]] std::string identityOf(const Hdf5Reader& file, const ChecksumTable& checksums, const CacheInfo& info);

/// The same for a cache of another format, which is held in memory whole.
[[nodiscard]] std::string identityOf(const CacheInfo& info, const DocumentSet& documents,
                                     const std::vector<std::shared_ptr<const HeadVectors>>& vectors);

/// Whether the checksums speak of every head vector: then identity and origin are of the contents alone.
[[nodiscard]] bool coversVectors(const CacheInfo& info, const ChecksumTable& checksums);

/// Of all that a cache holds but its maps: by the checksums of its parts, with those of who made it and how; of a cache
/// whose vectors have none, and of one of another format, by the bytes of its file.
/// @errors those of Hdf5Reader::open and InputDigest::ofFile
/// @cost   where there are checksums, what opening the file takes
[[nodiscard]] Result<InputDigest> digestOf(const CacheReader& cache, JobContext& job);

/// The cache's info as what is kept beside it belongs to it: where only some rows entered the identity, that of
/// all vectors and texts follows it.
/// @errors those of Hdf5Reader::open, CacheReader::documents and CacheReader::load
/// @cost   where there are checksums, what opening the file takes; else one read of all vectors
[[nodiscard]] Result<CacheInfo> infoOfContents(CacheReader& cache, JobContext& job);

/// The origin of a cache whose info has its identity.
[[nodiscard]] Origin originOf(const std::filesystem::path& path, const CacheInfo& info, const ChecksumTable& checksums);

} // namespace headscope
