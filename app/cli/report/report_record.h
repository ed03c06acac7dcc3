// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/frames/json_type.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::cli
{

/// What was done of a part of a report before, as FOLDER/data/ID.json says.
struct ReportRecord
{
    Json made = Json();   ///< verb, words, digests of all inputs, versions, seed
    Json answer = Json(); ///< null: left out
    std::vector<std::string> notices{};
    std::vector<std::pair<std::string, std::string>> files{}; ///< name below the folder, SHA-256; begun: ""
    std::string leftOut{};

    /// Whether all its files are as they were written.
    [[nodiscard]] bool isUntouched(const std::filesystem::path& folder, JobContext& job) const;
    /// Whether none of its files was changed; those that are gone count as untouched, and those that were begun as
    /// ours.
    [[nodiscard]] bool isOurs(const std::filesystem::path& folder, JobContext& job) const;
};

/// The record of a file or an item.
[[nodiscard]] std::filesystem::path recordPath(const std::filesystem::path& folder, const std::string& id);

/// Nothing where there is none that can be read: the item is done again then.
[[nodiscard]] std::optional<ReportRecord> readRecord(const std::filesystem::path& path);

/// @errors Resource
[[nodiscard]] Status writeRecord(const std::filesystem::path& path, const ReportRecord& record);

} // namespace headscope::cli
