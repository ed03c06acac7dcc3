// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/input/disk_stamp.h"
#include "model/data/result_store.h"
#include "model/io/cache/cache_reader.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// Where the work on a cache is kept.
struct WorkPlaces
{
    bool beside = true; ///< CACHE.h5.headscope, where that can be written
    std::filesystem::path
        home; ///< else HASH.headscope in this folder, which is made; HASH is of the cache and its path
};

/// What a window knows about its work file.
struct WorkBook
{
    std::string identity; ///< of the cache's contents (infoOfContents); empty: they were not looked at yet
    WorkDigests known;    ///< digests of the window's own work when it was last read or written

    /// Identifies the file as last written by this window: unchanged, it need not be read again.
    struct Stamp
    {
        std::filesystem::path file;
        DiskStamp disk;
        bool operator==(const Stamp&) const = default;
    };
    std::optional<Stamp> stamp;
    ResultStore content; ///< of that file, with the work of other windows

    std::vector<Error> problems;       ///< of files that were set aside; cleared by the caller that reports them
    std::optional<Error> besideFailed; ///< why the work was last written to another place than next to the cache
};

/// The work that was found for a cache.
struct FoundWork
{
    ResultStore work;
    WorkBook book;
    std::filesystem::path file;  ///< where it was; empty: nowhere
    std::vector<Error> problems; ///< of files that were refused, and what became of them
};

/// Reads the work kept for a cache; of two files the one written last. A file that is damaged or belongs to another
/// cache, also one of other vectors or texts under the same name, is set aside under another name ("....aside"), never
/// overwritten; one of a newer Headscope stays where it is.
/// @threads to be called on a worker
[[nodiscard]] FoundWork findWork(CacheReader& cache, const WorkPlaces& places);

/// Writes the work on a cache, whole or not at all, to the first place that can be written. Another window may have
/// written there meanwhile: what it changed is merged in (mergedWork), under a lock of the folder. Nothing to keep:
/// no file is left.
/// @param book  of this window for this cache; brought up to date
/// @return where it is; empty: nothing is to be kept
/// @errors Resource: no place can be written (the error of the last one)
/// @threads to be called on a worker, one call for a book at a time
[[nodiscard]] Result<std::filesystem::path> keepWork(CacheReader& cache, const ResultStore& work,
                                                     const WorkPlaces& places, WorkBook& book);

} // namespace headscope::desktop
