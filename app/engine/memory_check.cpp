// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/memory_check.h"

#include "model/net/run/stream_costs.h"

#include <fmt/format.h>

#include <utility>

namespace headscope::engine
{

Status checkMemory(const MemoryEstimate& estimate, const FreeMemory& free)
{
    // Weights that are used where they lie in their file can be read again: they press nothing out.
    const std::uint64_t needed = free.ofAddresses ? estimate.peak : estimate.peak - estimate.mapped;
    std::string help = "use fewer --layers";
    if (estimate.streamed <= free.bytes)
        help = fmt::format("use --memory {} or more to read the layers from disk batch by batch, or fewer --layers",
                           mebibytesText(estimate.streamed));
    return headscope::checkMemory({static_cast<double>(needed), "this run", std::move(help)}, free);
}

Status checkMemoryOfRun(const ModelFiles& files, const ExtractionOptions& options, std::int64_t lastLayer,
                        std::int64_t longest)
{
    if (!options.backend.onCpu())
        return {};
    const ModelCardOptions choices{.lastLayer = lastLayer, .threads = options.threads, .longestDocument = longest};
    return checkMemory(estimateMemory(files, choices), freeMemory());
}

} // namespace headscope::engine
