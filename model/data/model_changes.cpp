// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_changes.h"

#include <fmt/format.h>

namespace headscope
{

std::string ModelChanges::words(std::int64_t kvHeads) const
{
    std::string text;
    if (!ablated.empty())
        text = fmt::format("heads {} set to {}", ablated,
                           ablation == "mean" ? fmt::format("their mean over {}", reference) : "zero");
    if (regroupedFrom != 0)
        text += fmt::format("{}{} KV groups changed to {}", text.empty() ? "" : "; ", regroupedFrom, kvHeads);
    return text;
}

} // namespace headscope
