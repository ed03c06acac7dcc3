// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/provenance.h"
#include "app/shell/common_options.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/base/text/csv_text.h"
#include "model/data/frame/frame.h"
#include "model/data/results/card/head_card.h"

#include <filesystem>
#include <span>
#include <string>

namespace headscope::cli
{

/// Cards of many heads in a folder.
struct BookletPlan
{
    std::filesystem::path folder;
    std::string format = "pdf";
    std::string palette = "standard";
    CsvTexts texts = CsvTexts::Safe;
};

/// Refuses a folder that could not be written, before any work.
/// @errors WrongUse, Resource
[[nodiscard]] Status checkBooklet(const std::filesystem::path& folder, const shell::CommonOptions& common);

/// Writes a figure for each card, index.csv with a row for each, and index.html with the same rows as links to them.
/// @param table  cardsFrame of the cards, in the order of the index
/// @errors those of writeFigure and writeFrameFile; Cancelled
[[nodiscard]] Status writeBooklet(const BookletPlan& plan, std::span<const HeadCard> cards, const Frame& table,
                                  const Provenance& provenance, const shell::CommonOptions& common, JobContext& job);

} // namespace headscope::cli
