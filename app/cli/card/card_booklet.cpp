// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/card/card_booklet.h"

#include "app/report/page/html_text.h"
#include "app/results/frame_output.h"
#include "model/base/file.h"
#include "model/base/output/output_file.h"
#include "model/base/output/output_path.h"
#include "model/data/frame/frame_text.h"
#include "model/data/results/card/card_text.h"
#include "viz/export/card_figure.h"

#include <QString>

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

using report::HtmlText;
using report::htmlText;

std::string cardFileOf(const HeadCard& card, const std::string& format)
{
    return fmt::format("{}.{}", cardFileName(card), format);
}

/// The rows of the index as a page, each with a link to its card.
HtmlText indexPage(const BookletPlan& plan, std::span<const HeadCard> cards, const Frame& table)
{
    std::map<std::pair<std::int64_t, std::int64_t>, const HeadCard*> byPlace;
    for (const HeadCard& card : cards)
        byPlace[{card.layer.value(), card.head.value() + 1}] = &card;
    const std::string title = cards.empty()
                                  ? std::string("Cards of heads")
                                  : fmt::format("Heads of {}, {} cards", cards.front().model.name, cards.size());
    HtmlText page = HtmlText::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>\n"
        "body {{ font: 14px/1.4 sans-serif; margin: 2em; color: #222; }}\n"
        "table {{ border-collapse: collapse; }}\n"
        "th, td {{ padding: 0.2em 0.8em; text-align: left; border-bottom: 1px solid #ddd; vertical-align: top; }}\n"
        "</style>\n</head>\n<body>\n<h1>{}</h1>\n<table>\n<tr><th>Card</th>",
        htmlText(title), htmlText(title));
    const std::vector<FrameCell> shown = cellsOf(table, table.about().texts.front());
    std::vector<FrameCell> cells;
    for (const FrameCell& cell : shown)
        if (cell.column->info->key != "layer" && cell.column->info->key != "head")
            cells.push_back(cell);
    const ShownTable rows = shownTable(cells);
    for (const std::string& header : rows.header)
        page.append("<th>{}</th>", htmlText(header));
    page += "</tr>\n";
    const Column& layers = *table.find("layer");
    const Column& heads = *table.find("head");
    for (std::int64_t row = 0; row < table.rows(); ++row)
    {
        const auto at = static_cast<std::size_t>(row);
        const auto found = byPlace.find({static_cast<std::int64_t>(layers.at(Facet::Value, at)),
                                         static_cast<std::int64_t>(heads.at(Facet::Value, at))});
        if (found == byPlace.end())
            continue;
        page.append("<tr><td><a href=\"{}\">{}</a></td>", htmlText(cardFileOf(*found->second, plan.format)),
                    htmlText(cardTitle(*found->second)));
        for (const std::string& cell : rows.rows[at])
            page.append("<td>{}</td>", htmlText(cell));
        page += "</tr>\n";
    }
    page += "</table>\n</body>\n</html>\n";
    return page;
}

} // namespace

Status checkBooklet(const std::filesystem::path& folder, const shell::CommonOptions& common)
{
    std::error_code failed;
    if (std::filesystem::exists(folder, failed) && !std::filesystem::is_directory(folder, failed))
        return Error{ErrorCode::WrongUse, "expected a folder, found a file", folder.string(), "-o"};
    for (const char* name : {"index.html", "index.csv"})
        if (std::filesystem::exists(folder / name, failed))
            HEADSCOPE_CHECK(checkOutputPath(folder / name, common.overwrite));
    return {};
}

Result<WrittenCard> writeBooklet(const BookletPlan& plan, std::span<const HeadCard> cards, const Frame& table,
                                 const Provenance& provenance, JobContext& job)
{
    WrittenCard highest;
    std::error_code failed;
    std::filesystem::create_directories(plan.folder, failed);
    if (failed)
        return systemError(failed.value(), plan.folder.string(), "creating the folder");
    for (std::size_t i = 0; i < cards.size(); ++i)
    {
        HEADSCOPE_CHECK(job.checkStop());
        job.report("writing cards", i, cards.size(), "cards");
        const auto file = plan.folder / cardFileOf(cards[i], plan.format);
        HEADSCOPE_TRY(viz::FigureRecord record, viz::writeFigure(viz::figureOfCard(cards[i]), file, plan.figure));
        if (record.sizeMm.height() > highest.record.sizeMm.height())
            highest = {file, std::move(record)};
    }
    HEADSCOPE_CHECK(writeFrameFile(plan.folder / "index.csv", table, provenance, {}, plan.texts));
    HEADSCOPE_CHECK(writeFileAtomically(plan.folder / "index.html", indexPage(plan, cards, table).bytes()));
    return highest;
}

} // namespace headscope::cli
