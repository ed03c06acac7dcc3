// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/heatmap_panel.h"
#include "viz/axis/key_line.h"
#include "viz/color/head_palette.h"

#include <QColor>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// Topic match as bars on paper: a row for the full vector and one for each head, the share of documents whose own
/// topic is the nearest dark, among more of the nearest paler, with 95% intervals.
/// @param heads   that have a row, 0-based, ascending; empty: all
/// @param textPt  height of names and numbers
void paintMatchBars(QPainter& painter, const TopicMatch& match, const HeadPalette& palette,
                    const std::vector<std::int64_t>& heads, const QRectF& box, double textPt);

/// The colour of the bar that ends at the share of level k of so many, the darkest first.
[[nodiscard]] QColor matchLevelColor(std::int64_t k, std::int64_t levels, const QColor& darkest, const QColor& ground);

/// "the nearest, among 5, among 10 (all 8 topics)": what the bars count, the darkest first.
[[nodiscard]] QString matchLevels(const MatchResult& result);

/// What the lines of the bars are, and how many rows are distinguished from shuffled labels: for a caption.
[[nodiscard]] QString matchTests(const TopicMatch& match);

/// The same words next to the greys of paintMatchBars, what its lines are, and what the full row is.
[[nodiscard]] std::vector<KeyEntry> matchKey(const TopicMatch& match);

} // namespace headscope::viz
