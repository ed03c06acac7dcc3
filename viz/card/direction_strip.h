// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/card/head_card.h"
#include "viz/color/inks.h"

#include <QRectF>

class QPainter;

namespace headscope::viz
{

/// As many labels have colours of their own in bars; more are not distinguished.
inline constexpr std::size_t kMostStripLabels = 12;

/// The documents along a direction: bars of how many lie where, in the colours of their labels where these are few;
/// both ends have a grey ground.
/// @param labels  categories of the codes
void paintDirectionStrip(QPainter& painter, const QRectF& box, const CardDirection& direction, std::size_t labels,
                         InkTheme theme);

} // namespace headscope::viz
