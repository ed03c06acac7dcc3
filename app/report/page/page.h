// SPDX-License-Identifier: GPL-3.0-or-later
// A report as one page of HTML that needs no other file and no network.
#pragma once

#include "app/report/page/live_map.h"
#include "app/report/page/page_fact.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headscope::report
{

/// A sentence, with the number that it rests on where it has one.
struct PageClaim
{
    std::string text{};
    std::string number{};   ///< "0.81", or empty: a paragraph of text
    std::string interval{}; ///< "0.78 to 0.84"
    std::string count{};    ///< "1,200 documents": what the number was taken over
};

enum class FigureKind
{
    Svg,
    Png,
};

/// A picture, always on white as figures are.
struct PageFigure
{
    std::string name{};    ///< "topic-map": its address in the page
    std::string caption{}; ///< under it
    std::string alt{};     ///< for those who do not see it; the caption where it is empty
    FigureKind kind = FigureKind::Svg;
    std::string bytes{};               ///< the file; may be empty where there is a live map
    std::optional<std::size_t> live{}; ///< index into Page::maps: shown in its place on a screen
};

struct PageColumn
{
    std::string name{};
    bool numeric = false; ///< aligned right
};

/// A table; one of more than 40 rows is folded until it is asked for.
struct PageTable
{
    std::string caption{};
    std::vector<PageColumn> columns{};
    std::vector<std::vector<std::string>> rows{}; ///< each of as many cells as there are columns
    std::vector<std::vector<bool>> grey{};        ///< cells in grey, of the first rows; those that are missing are not
};

/// A section; what it holds is shown in the order of the members.
struct PageSection
{
    std::string heading{};
    std::string id{}; ///< its address in the page, made of the heading where it is empty
    std::vector<PageClaim> claims{};
    std::vector<PageFigure> figures{};
    std::vector<PageTable> tables{};
    std::vector<std::string> notices{}; ///< what a reader must know before the numbers are used
    std::string command{};              ///< the command line that makes it again
    bool isPair = false;                ///< figures stand two in a row where there is room
};

struct Page
{
    std::string title{};
    std::vector<PageFact> facts{};      ///< of the cache and the programs, at the head of the page; no dates
    std::vector<PageFact> otherFacts{}; ///< of a second cache, in a row of their own
    std::vector<PageSection> sections{};
    MapDocuments documents{}; ///< of all maps
    std::vector<LiveMap> maps{};
    std::string footer{};
};

/// The page as HTML in UTF-8. The same page gives the same bytes.
/// @threads reentrant
/// @cost    of a live map 10 bytes a point, of the documents their ids and quotations once
[[nodiscard]] HtmlText reportPage(const Page& page);

} // namespace headscope::report
