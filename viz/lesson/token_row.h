// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/lesson/lesson_parts.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// A text as the model gets it: tokens with their numbers.
struct TokenRow
{
    std::vector<QString> tokens;
    std::vector<std::int32_t> ids;
    std::vector<double> weights; ///< what one head gives to each token, 0 to 1; empty: no head is shown
    std::int64_t query = -1;     ///< the token whose weights these are
};

/// Tokens side by side in as many lines as they need, each with its number below; as many as the box holds.
/// @return tokens that were painted
std::size_t paintTokenRow(QPainter& painter, const TokenRow& row, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double tokenRowHeight(const TokenRow& row, double width, const LessonStyle& style);
[[nodiscard]] QString tokenRowWords(const TokenRow& row);

/// How many queries, keys and values a token has, and of how many numbers.
struct HeadCounts
{
    ModelInfo model;
    std::int64_t tokens = 0; ///< of the current text; 0: none
};

/// Three rows of cells of one width, so that their lengths can be compared: queries, keys, values.
void paintHeadCounts(QPainter& painter, const HeadCounts& counts, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double headCountsHeight(const HeadCounts& counts, double width, const LessonStyle& style);
[[nodiscard]] QString headCountsWords(const HeadCounts& counts);

} // namespace headscope::viz
