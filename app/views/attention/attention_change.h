// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/attention/attention_run.h"

#include <optional>

namespace headscope::desktop
{

/// How far the attention of a head differs between two runs of the same tokens.
struct AttentionChange
{
    LayerIndex layer;
    HeadIndex head;
    double share = 0; ///< of a token's weight that goes elsewhere, 0 to 1, mean over the tokens
};

/// The head that changes most among those whose weights both runs hold; nothing: there is none, or the tokens differ.
[[nodiscard]] std::optional<AttentionChange> largestChange(const AttentionRun& before, const AttentionRun& after);

} // namespace headscope::desktop
