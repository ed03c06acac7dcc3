// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/report/report_text.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

/// What the answers of verbs hold, for sentences and tables.
namespace headscope::cli
{

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// NaN where there is none.
[[nodiscard]] double numberOf(const Json& json, std::string_view key);
/// 0 where an answer of an earlier version does not say.
[[nodiscard]] std::int64_t countOf(const Json& of, std::string_view key);
/// null where there is none.
[[nodiscard]] const Json& partOf(const Json& json, std::string_view key);
/// [low, high] of an answer; NaN where it has none.
[[nodiscard]] Interval intervalOf(const Json& interval);
/// "0.783", or a dash.
[[nodiscard]] std::string shown(double value);
/// ", p 0.005 (heads permuted within documents 200 times)" or "".
/// @param units  "heads" or "segments"
[[nodiscard]] std::string testText(const Json& json, std::string_view units);
/// What always naming the commonest label gets, as a sentence; empty where that is not clearly above the chance beside
/// it.
[[nodiscard]] std::string majorityWords(const Json& answer, double chance);

/// The rows of answers as the table that they were printed from, each with the members of all; without rows where they
/// are of another version.
[[nodiscard]] Frame frameOf(Json rows, const FrameInfo& about);
/// How many rows have a q below 0.05; none where there is no such column.
[[nodiscard]] std::int64_t tellingRows(const Column* column);

/// Adds a table, if it has rows.
/// @param shown  has its columns as slots of files
void addTable(ReportSection& section, std::string id, std::string caption, Frame rows, const FrameInfo& shown);

} // namespace headscope::cli
