// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "viz/lesson/lesson_parts.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// What the heads of a group give to the same keys, read from one token.
struct GroupScores
{
    ModelInfo model;
    std::vector<std::int64_t> heads; ///< [G] of the group, from 0
    QString token;                   ///< that reads
    std::vector<QString> keys;       ///< [n] tokens that it may read
    MatrixD scores;                  ///< [G, n] q.k / sqrt(Dh)
    MatrixD weights;                 ///< [G, n] their softmax
};

/// Heads that a picture of scores has room for.
inline constexpr std::int64_t kMaxScoreHeads = 6;

/// A table: a row for each key, a column for each head with the weight as a bar and the score as a number. Keys that do
/// not fit are left out, those with the smallest weights first, and the last line says how many.
void paintGroupScores(QPainter& painter, const GroupScores& scores, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double groupScoresHeight(const GroupScores& scores, double width, const LessonStyle& style);
[[nodiscard]] QString groupScoresWords(const GroupScores& scores);

/// The keys that are shown where only so many fit, in the order of the text.
[[nodiscard]] std::vector<std::size_t> shownKeys(const GroupScores& scores, std::size_t most);

} // namespace headscope::viz
