// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/workflows/train_probes.h"

#include "model/analysis/probe.h"

#include <algorithm>
#include <utility>

namespace headscope::desktop
{

Result<std::vector<std::shared_ptr<const ProbeResult>>>
trainProbes(CacheReader& reader, LayerIndex layer, const std::vector<Stage>& stages,
            const std::vector<std::int64_t>& heads, const ProbeOptions& options, int numThreads, JobContext& job)
{
    if (heads.size() < 2)
        return Error{ErrorCode::InvalidArgument, "a probe tells heads apart: it needs at least two of them", {}, {}};
    std::vector<std::shared_ptr<const ProbeResult>> results;
    for (const Stage stage : stages)
    {
        HEADSCOPE_TRY(const auto vectors, reader.load(layer, stage, {}, job));
        if (vectors->heads() <= *std::max_element(heads.begin(), heads.end()))
            continue;
        const auto documents = allIndices(vectors->documents());
        const HeadPoints points = gatherPoints(*vectors, documents, heads);
        HEADSCOPE_TRY(ProbeResult result, probeHeads(points, heads, reader.info().header.model.groupSize(), stage,
                                                     layer, options, numThreads, job));
        results.push_back(std::make_shared<const ProbeResult>(std::move(result)));
    }
    if (results.empty())
        return Error{ErrorCode::InvalidArgument, "this layer holds no stage that is cut into heads", {}, {}};
    return results;
}

} // namespace headscope::desktop
