// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/attention/attention_run.h"
#include "viz/export/figure_export.h"

#include <QString>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::viz
{

/// Attention of a text as a figure shows it: any of its three depths, as in the window, always in light colours.
struct AttentionFigure
{
    AttentionRunPtr run;
    LayerIndex layer; ///< of the chosen head
    HeadIndex head;
    /// Heads shown next to it, each with pictures of its own.
    std::vector<std::pair<LayerIndex, HeadIndex>> beside;
    bool heads = true;                 ///< the pictures of all heads
    bool lines = true;                 ///< lines between tokens
    bool matrix = true;                ///< the table of weights
    bool withoutFirst = true;          ///< the first token is taken out of the scale
    bool overlay = false;              ///< lines of all heads of the KV group
    std::string measure;               ///< heads coloured by this statistic; "": pictures of their weights
    std::optional<TokenIndex> reading; ///< the token whose lines stand out
    std::optional<TokenIndex> read;    ///< with it: the marked cell; alone: the token whose readers stand out
};

/// What a caption must say: text, model, layer and head, scale, what is left out and how many lines are drawn.
[[nodiscard]] QString attentionCaption(const AttentionFigure& figure);

/// Pictures of all heads next to lines and table of the chosen one (or under each other in a narrow figure).
/// Weights that the run does not hold are left out, and the caption says so.
/// @errors InvalidArgument (no run, a head that it does not have, nothing to draw)
[[nodiscard]] Figure figureOfAttention(AttentionFigure figure);

} // namespace headscope::viz
