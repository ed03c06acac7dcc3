// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/card/head_card.h"
#include "viz/export/figure_export.h"

namespace headscope::viz
{

/// The card of a head as a figure: without another paper a page of A4, upright, longer where the card is.
[[nodiscard]] Figure figureOfCard(HeadCard card);

} // namespace headscope::viz
