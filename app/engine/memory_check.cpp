// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/memory_check.h"

#include "app/engine/model_card_text.h"
#include "model/net/run/stream_costs.h"

#include <fmt/format.h>

namespace headscope::engine
{

Status checkMemory(const MemoryEstimate& estimate, const FreeMemory& free)
{
    // Weights that are used where they lie in their file can be read again: they press nothing out.
    const std::uint64_t needed = free.ofAddresses ? estimate.peak : estimate.peak - estimate.mapped;
    if (needed <= free.bytes)
        return {};
    std::string help = "fewer --layers, counted from 0, take less";
    if (estimate.streamed <= free.bytes)
        help = fmt::format("--memory {} or more reads the layers from disk batch by batch, and {}",
                           mebibytesText(estimate.streamed), help);
    return Error{ErrorCode::OutOfMemory,
                 fmt::format("this run takes about {} of memory, {} are free ({}); {}", bytesText(needed),
                             bytesText(free.bytes), free.limit, help),
                 {},
                 {}};
}

} // namespace headscope::engine
