// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/report/report_text.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
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
/// One end of an interval; NaN where there is none.
[[nodiscard]] double boundOf(const Json& interval, std::size_t at);
/// "0.783", or a dash.
[[nodiscard]] std::string shown(double value);
/// ", p 0.005 (heads permuted within documents 200 times)" or "".
/// @param units  "heads" or "segments"
[[nodiscard]] std::string testText(const Json& json, std::string_view units);
/// What always naming the commonest label gets, as a sentence; empty where that is not clearly above the chance beside
/// it.
[[nodiscard]] std::string majorityWords(const Json& answer, double chance);

/// A column of a table of answers.
struct AnswerColumn
{
    std::string_view header;
    std::string_view path; ///< in a row: "ci95.match.0"
    bool isText = false;   ///< also where the answer has a number; "-" where it has nothing
};

/// Rows of answers as a table. What a row does not have is missing.
[[nodiscard]] Frame answersFrame(const Json& rows, std::span<const AnswerColumn> columns);

/// Adds a table, if it has rows.
void addTable(ReportSection& section, std::string id, std::string caption, const Json& rows,
              std::span<const AnswerColumn> columns);

} // namespace headscope::cli
