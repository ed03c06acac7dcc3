// SPDX-License-Identifier: GPL-3.0-or-later
// Maps that a reader moves and recolours in the browser, as values, and as the data that live_map.js reads.
#pragma once

#include "app/report/page/html_text.h"
#include "app/report/page/page_fact.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::report
{

/// A colour on a light and on a dark page, 0xRRGGBB each.
struct MapColor
{
    std::uint32_t light = 0x6A737D;
    std::uint32_t dark = 0x9AA2AB;
};

/// A category of a label, or a KV group: an entry of the legend.
struct MapCategory
{
    std::string name{};
    MapColor color{};
};

/// A label of the documents.
struct MapColumn
{
    std::string name{};
    std::vector<MapCategory> categories{};
    std::vector<std::int32_t> codes{}; ///< [documents] index of a category, or -1: none
};

/// The documents of a cache: once in a page, for all of its maps.
struct MapDocuments
{
    std::vector<std::string> ids{};        ///< [documents]
    std::vector<std::string> quotations{}; ///< [documents] or empty; cut by `quotation`
    std::vector<MapColumn> columns{};
};

/// A head, or a segment where the map shows those.
struct MapHead
{
    std::string name{};      ///< as people count them: "1"
    std::int32_t group = -1; ///< index into LiveMap::groups, or -1
    MapColor color{};        ///< one hue a KV group, a shade a head
};

/// A map of points. Those without a finite place are left out, which the page says.
struct LiveMap
{
    std::string title{};
    std::string rowWord = "head";         ///< what a row of the cache is: "head" or "segment"
    std::vector<float> x{};               ///< [points] any unit; y points up, both have the same scale
    std::vector<float> y{};               ///< [points]
    std::vector<std::int32_t> head{};     ///< [points] index into `heads`, or -1: of none
    std::vector<std::int32_t> document{}; ///< [points] index into the documents of the page, or -1: of none
    std::vector<MapHead> heads{};
    std::vector<MapCategory> groups{};
    std::vector<PageFact> numbers{}; ///< trust, KL divergence, n: as they are to be read
};

/// Number of points without a finite place.
[[nodiscard]] std::int64_t pointsLeftOut(const LiveMap& map);

/// A text on one line of at most 160 characters: of a longer one 159 and an ellipsis. Blanks that follow each other
/// become one.
/// @param text  any bytes; only as many are read as are shown
[[nodiscard]] std::string quotation(std::string_view text);

/// The documents as JSON that may be inside a script element.
/// @threads reentrant
[[nodiscard]] ScriptText documentsData(const MapDocuments& documents);

/// A map as JSON that may be inside a script element. "places" are x, y, x, y, ... as 16-bit numbers without sign,
/// least byte first, in base64: "square" is [left, bottom, side], and x = left + side * number / 65535. Codes ("head",
/// "document") are moved up by one, so that 0 is "none", and have "width" 1, 2 or 4 bytes each; those that count have
/// no bytes, but "count", "each" and "of": code i is i / each % of.
/// @threads reentrant
/// @cost    10 bytes a point at most 65,534 documents; 5.4 where all heads of all documents are on the map, in order
[[nodiscard]] ScriptText mapData(const LiveMap& map);

} // namespace headscope::report
