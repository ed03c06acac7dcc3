// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/cache/cache_info.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope
{

enum class RunState
{
    Done,    ///< its cache is there
    Running, ///< a process holds its output
    Stopped, ///< parts of it are there, and nobody adds to them
};

/// A range of a run that was begun, or all of it.
struct RunRange
{
    DocumentRange range;
    RunState state = RunState::Done;
    std::int64_t done = 0;      ///< documents whose vectors are on the disk
    double rate = 0;            ///< documents a second so far; 0: not known
    std::filesystem::path file; ///< the cache, or what becomes it
    std::string command;        ///< that made it, or makes it
    std::string holder;         ///< of one that is running: process, machine and start
};

/// How far a run has come, which may be cut into ranges.
struct RunProgress
{
    std::int64_t documents = 0;           ///< of the whole run
    std::vector<RunRange> ranges;         ///< ascending
    std::vector<DocumentRange> untouched; ///< that nobody has begun, cut as the others are
    std::vector<std::string> notices;

    [[nodiscard]] std::int64_t done() const;
    /// Documents that running processes have still to compute.
    [[nodiscard]] std::int64_t running() const;
    /// Documents a second of all that are running; 0: not known.
    [[nodiscard]] double rate() const;
};

/// Reads the caches of ranges, and the manifests of runs that have not ended, of a folder; of a cache those of it
/// alone. Writes nothing and locks nothing.
/// @param path  a folder, a cache, or one that is being made
/// @errors FileNotFound (neither is there), BadFormat (nothing of a run; parts of different runs), those of
///         openRangeParts, Cancelled
[[nodiscard]] Result<RunProgress> readRunProgress(const std::filesystem::path& path, JobContext& job);

} // namespace headscope
