// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <filesystem>
#include <set>
#include <string>

namespace headscope
{

/// Name of the file in a folder of shards that lists them.
inline constexpr const char* kShardManifest = "manifest.jsonl";

/// How the names of files begin in which the vectors of shards gather at their places in the cache; the tag of their
/// process follows.
inline constexpr const char* kPartBeginning = "cache.part-";

/// The folder beside a cache in which its shards are gathered: "OUTPUT.shards".
[[nodiscard]] std::filesystem::path shardFolder(const std::filesystem::path& output);

/// Whether shards can be gathered in a folder: it is not there, it is empty, or it holds what a run that was
/// killed has left, and nothing else. Nothing that anybody keeps there is ever removed. Shards without their manifest
/// are of a run that was killed where the part file of its cache is there too.
/// @errors Resource (naming what else is there)
[[nodiscard]] Status checkShardFolder(const std::filesystem::path& folder);

/// Whether a run that has ended has left its part of a cache in a folder, and its manifest is gone: nothing says any
/// more what that part holds.
[[nodiscard]] bool hasLostManifest(const std::filesystem::path& folder);

/// Removes the shards in a folder, their manifest and their part files, and the folder where it is empty then:
/// after a merge, and when a run fails or is stopped. What else is there stays.
void removeShards(const std::filesystem::path& folder);

/// Removes the files with vectors that no shard needs, of processes that have ended.
/// @param used  names that stay
void removeUnusedParts(const std::filesystem::path& folder, const std::set<std::string>& used);

/// The file that the shards of a folder become: what the user knows of.
[[nodiscard]] std::filesystem::path outputOfShards(const std::filesystem::path& folder);

} // namespace headscope
