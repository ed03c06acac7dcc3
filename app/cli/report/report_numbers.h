// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/report/report_words.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// Rows of several parts under one header.
class TableMaker
{
public:
    TableMaker(std::string id, std::string caption, std::vector<std::string> header)
        : m_table{std::move(id), std::move(caption), ResultTable(std::move(header))}
    {}
    void add(std::vector<ResultTable::Cell> cells) { m_table.rows.add(std::move(cells)); }
    void moveTo(ReportSection& section);

private:
    ReportTable m_table;
};

} // namespace headscope::cli
