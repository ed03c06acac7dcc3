// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/report/report_run.h"
#include "model/data/frame/frame.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::cli
{

inline constexpr double kSmallQ = 0.05; ///< up to this q a table has a finding

/// A column whose cells are grey where nothing was found: where q is above 0.05.
struct GreyColumn
{
    std::string_view column;
    std::string_view testedBy; ///< the column that has the q
};

/// A table of the report, in the order of its rows.
struct ReportTable
{
    std::string id; ///< of its files: tables/ID.csv and .tex
    std::string caption;
    Frame rows;
    std::vector<GreyColumn> grey{};
};

/// Whether a cell is grey, by the grey columns of its table.
[[nodiscard]] bool isGrey(const ReportTable& table, const FrameCell& cell, std::size_t row);

/// A section: what is under one heading.
struct ReportSection
{
    std::string id;
    std::string heading;
    std::vector<std::string> claims; ///< sentences, each a number with its interval, n and chance where it has them
    std::vector<const ReportPart*> figures;
    std::vector<ReportTable> tables;
    std::vector<const ReportPart*> others; ///< items without a figure: their commands and notices belong here
    bool isPair = false;                   ///< figures of two caches are side by side
};

/// The parts of a report by section, with what their numbers say.
/// @param parts  outlive what is returned
[[nodiscard]] std::vector<ReportSection> reportSections(std::span<const ReportPart> parts,
                                                        const ReportSubject& subject);

/// The stage of a result, or that an item is of, from its words; empty: it names none.
[[nodiscard]] std::string stageOf(const Json& result);
[[nodiscard]] std::string stageOf(const ReportItem& item);
/// "0.783 [0.761, 0.804]": a number with its interval, where it has one.
[[nodiscard]] std::string withInterval(double value, const Interval& interval);

} // namespace headscope::cli
