// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/attention/token_map.h"
#include "model/data/documents/document_set.h"
#include "viz/color/category_palette.h"
#include "viz/color/inks.h"
#include "viz/scatter/point_coloring.h"

#include <string>

namespace headscope::ui
{

/// What the tokens of a map are coloured by.
enum class TokenColor
{
    Kind,       ///< queries and keys
    Activation, ///< of the head
    Position,   ///< in the document
    Token,      ///< the most frequent ones
    Document,   ///< those with the most tokens in the map
    Label,      ///< of the document
};

struct TokenColorChoice
{
    TokenColor by = TokenColor::Activation;
    std::string column; ///< of Label

    bool operator==(const TokenColorChoice&) const = default;
};

/// Categories of tokens and documents that have a colour of their own; the others share a grey.
inline constexpr std::size_t kTokenCategories = 8;

/// Colours and shapes of the points, and their legend: queries and outputs are round, keys triangles.
/// @param documents  of the cache whose documents they are; null: of files, which have no labels
[[nodiscard]] viz::PointColoring colorTokens(const TokenMap& map, const TokenColorChoice& choice,
                                             const DocumentSet* documents, viz::InkTheme theme);

} // namespace headscope::ui
