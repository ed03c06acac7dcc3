// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/provenance.h"
#include "app/shell/common_options.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/base/text/csv_text.h"
#include "model/data/frame/frame.h"
#include "model/data/results/card/head_card.h"
#include "viz/export/figure_export.h"

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
    viz::FigureOptions figure; ///< paper and colours of each card
    CsvTexts texts = CsvTexts::Safe;
};

/// A file of a booklet.
struct WrittenCard
{
    std::filesystem::path file;
    viz::FigureRecord record;
};

/// Refuses a folder that could not be written, before any work.
/// @errors WrongUse, Resource
[[nodiscard]] Status checkBooklet(const std::filesystem::path& folder, const shell::CommonOptions& common);

/// Writes a figure for each card, index.csv with a row for each, and index.html with the same rows as links to them.
/// @param table  cardsFrame of the cards, in the order of the index
/// @return the highest card, whose faults are those of all
/// @errors those of writeFigure and writeFrameFile; Cancelled
[[nodiscard]] Result<WrittenCard> writeBooklet(const BookletPlan& plan, std::span<const HeadCard> cards,
                                               const Frame& table, const Provenance& provenance, JobContext& job);

} // namespace headscope::cli
