// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/report/report_text.h"
#include "app/report/page/html_text.h"
#include "app/results/cache_input.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <filesystem>
#include <span>
#include <string>

namespace headscope::cli
{

/// A cache of a report, and what of it is shown.
struct ReportSource
{
    CacheInput input;
    ReportSubject subject;
};

/// The report as one page of HTML with its maps alive, which needs no other file.
/// @param sources  as ReportSubject::number counts them; the page quotes their documents
/// @param folder   of the report, whose pictures and maps are read
/// @errors those of readNamedMap and readTextFile; Cancelled
[[nodiscard]] Result<report::HtmlText> reportPageText(std::span<const ReportSection> sections,
                                                      std::span<const ReportSource> sources,
                                                      const std::filesystem::path& folder, const std::string& title,
                                                      const std::string& footer, JobContext& job);

/// What to type for an item's file.
/// @param folder  of the report, as typed; empty: to be typed in it, and the cache is named alone where its
///                folder would say where somebody keeps his files
[[nodiscard]] std::string commandOf(const ReportItem& item, const std::filesystem::path& folder);

} // namespace headscope::cli
