// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/report/report_run.h"
#include "model/data/frame/frame.h"

#include <span>
#include <string>
#include <vector>

namespace headscope::cli
{

/// A table of the report, in the order of its rows.
struct ReportTable
{
    std::string id; ///< of its files: tables/ID.csv and .tex
    std::string caption;
    Frame rows;
};

/// A section: what stands under one heading.
struct ReportSection
{
    std::string id;
    std::string heading;
    std::vector<std::string> claims; ///< sentences, each a number with its interval, n and chance where it has them
    std::vector<const ReportPart*> figures;
    std::vector<ReportTable> tables;
    std::vector<const ReportPart*> others; ///< items without a figure: their commands and notices belong here
    bool isPair = false;                   ///< figures of two caches stand side by side
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
