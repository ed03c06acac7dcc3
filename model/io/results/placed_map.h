// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/field_target.h"
#include "model/base/result.h"
#include "model/data/maps/head_map.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{

/// What a map has one point for.
enum class MapUnit
{
    Head,     ///< each document and head, or segment
    Document, ///< each document: a map of the full vector
};

/// A map brought into the order of exported vectors: a row a document and head, documents outer.
struct PlacedMap
{
    std::string name;
    MatrixF xy;              ///< [n h, 2]; NaN where the map has no point
    std::vector<float> kept; ///< [n h] share of its nearest that the noise twins keep, NaN as above; empty: not known
    /// Parameters, divergence and trust by the names that a cache gives them, always the same ones in the same order;
    /// what was not measured is NaN.
    std::vector<std::pair<std::string, FieldRecord>> facts;
};

/// @param rows   [n] documents
/// @param heads  [h] 0-based; those of a map of documents all have the document's place
/// @errors InvalidArgument (a map that does not say which document each point is)
/// @cost   a look at each point, and a sort of rows and heads
[[nodiscard]] Result<PlacedMap> placeMap(const HeadMap& map, MapUnit unit, std::span<const std::int64_t> rows,
                                         std::span<const std::int64_t> heads);

/// The facts as a JSON object; what is not finite is null.
[[nodiscard]] std::string factsJson(const PlacedMap& map);

} // namespace headscope
