// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heads/heads_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "model/data/model_info.h"
#include "viz/export/part_figures.h"

#include <vector>

namespace headscope::desktop
{

/// What the heads tab shows, as parts of a figure on white: the table in its order with the heads that are off named,
/// how alike the heads are, what the heads that are on are good for, and the greedy order.
/// @param width  of the figure's content, in points
[[nodiscard]] std::vector<viz::FigurePart> headsParts(const ui::HeadsView& view, double width);

/// What the retrieval tab shows: what asks, and both rankings with the votes of each head.
[[nodiscard]] std::vector<viz::FigurePart> retrievalParts(const ui::RetrievalView& view, const ModelInfo& info);

} // namespace headscope::desktop
