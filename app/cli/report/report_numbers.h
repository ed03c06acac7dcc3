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

/// What the answer of a verb says under a name that it always has; null of null. Another name than the verb's is a bug.
[[nodiscard]] const Json& partOf(const Json& json, std::string_view key);
/// What it says under a name that it has where that was measured; else null.
[[nodiscard]] const Json& partIfThere(const Json& json, std::string_view key);
/// The same as a number; NaN where it is null.
[[nodiscard]] double numberOf(const Json& json, std::string_view key);
[[nodiscard]] double numberIfThere(const Json& json, std::string_view key);
/// The same as a count; 0 where it is null.
[[nodiscard]] std::int64_t countOf(const Json& json, std::string_view key);
/// The same as a text; empty where it is null.
[[nodiscard]] std::string textOf(const Json& json, std::string_view key);
/// [low, high] of an answer; NaN where it has none.
[[nodiscard]] Interval intervalOf(const Json& interval);
/// "0.783", or a dash.
[[nodiscard]] std::string shown(double value);
/// ", p 0.005 (heads permuted within documents 200 times)" or "".
/// @param units  "heads" or "segments"
[[nodiscard]] std::string testText(const Json& json, std::string_view units);
/// What always naming the commonest label gets, as a sentence; empty where that is not clearly above the chance next to
/// it.
[[nodiscard]] std::string majorityWords(const Json& answer, double chance);

/// The rows of answers as the table that they were printed from, each with the members of all; without rows where they
/// are of another version.
[[nodiscard]] Frame frameOf(Json rows, const FrameInfo& about);
/// A column of such a table; null: it has none. Another key than one of the description is a bug.
[[nodiscard]] Column* columnOf(Frame& frame, std::string_view key);
/// How many rows have a q below 0.05; none where there is no such column.
[[nodiscard]] std::int64_t tellingRows(const Column* column);

/// Adds a table, if it has rows.
/// @param shown  its columns as slots of files, which are those of the rows
void addTable(ReportSection& section, std::string id, std::string caption, Frame rows, const FrameInfo& shown,
              std::vector<GreyColumn> grey = {});

} // namespace headscope::cli
