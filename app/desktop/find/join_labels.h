// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/label_join.h"
#include "ui/window/cache_overview.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// Reads a file of labels, .csv, .tsv, .jsonl or .json (also .gz, .zst), a row for each document.
/// @errors  FileNotFound, Unsupported, BadFormat (naming file and line; no rows; no column besides the ids),
///          Cancelled
/// @threads to be called on a worker
[[nodiscard]] Result<std::shared_ptr<const LabelTable>> readLabelTable(const std::filesystem::path& path,
                                                                       JobContext& job);

/// The overview with columns of a join. A column that is replaced loses its topic vectors: they belong to
/// the names it had in the cache.
[[nodiscard]] std::shared_ptr<const ui::CacheOverview>
joinedOverview(const ui::CacheOverview& overview, const LabelJoin& join, const std::vector<std::string>& names);

} // namespace headscope::desktop
