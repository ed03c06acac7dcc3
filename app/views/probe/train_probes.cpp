// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/probe/train_probes.h"

#include "model/analysis/probe/probe.h"
#include "model/analysis/probe/probe_baselines.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope::desktop
{
namespace
{

using Place = std::pair<LayerIndex, Stage>;

Result<std::shared_ptr<const ProbeResult>> fit(const HeadPoints& points, const ProbeRequest& request, bool control,
                                               std::int64_t headsPerGroup, Place place, const Origin& origin,
                                               JobContext& job)
{
    ProbeOptions options = request.options;
    options.control = control;
    HEADSCOPE_TRY(ProbeResult result, probeHeads(points, request.heads, headsPerGroup, place.second, place.first,
                                                 options, request.numThreads, job));
    if (request.baselines && !control)
        HEADSCOPE_CHECK(addBaselines(result, points, request.heads, headsPerGroup, {}, request.numThreads, job));
    result.origin = origin;
    return std::make_shared<const ProbeResult>(std::move(result));
}

/// Nothing where the stage is kept uncut.
Result<ProbeFit> fitPlace(CacheReader& reader, const ProbeRequest& request, Place place, JobContext& job)
{
    HEADSCOPE_TRY(const auto vectors, reader.load(place.first, place.second, {}, job));
    if (vectors->heads() <= *std::max_element(request.heads.begin(), request.heads.end()))
        return ProbeFit{};
    const HeadPoints points =
        gatherPoints(*vectors, request.documents.empty() ? allIndices(vectors->documents()) : request.documents,
                     request.heads, request.numThreads);
    const std::int64_t headsPerGroup = reader.info().header.model.groupSize();
    ProbeFit done;
    const Origin origin = reader.origin();
    HEADSCOPE_TRY(done.result, fit(points, request, false, headsPerGroup, place, origin, job));
    if (request.control)
    {
        HEADSCOPE_TRY(done.control, fit(points, request, true, headsPerGroup, place, origin, job));
    }
    return done;
}

} // namespace

Result<ProbeFits> trainProbes(CacheReader& reader, const ProbeRequest& request,
                              const std::function<void(const ProbeFits&)>& publish, JobContext& job)
{
    if (request.heads.size() < 2)
        return Error{ErrorCode::InvalidArgument, "a probe distinguishes heads, so it needs at least two heads", {}, {}};
    ProbeFits done;
    std::uint64_t count = 0;
    for (const Place& place : request.places)
    {
        const std::string where = fmt::format("layer {} stage {}", place.first.value(), stageName(place.second));
        // A sweep reports itself, not each of its fits.
        JobContext inner(job.stopToken());
        job.report("probing " + where, count++, request.places.size(), "probes");
        auto fitted = fitPlace(reader, request, place, request.places.size() > 1 ? inner : job);
        if (!fitted && fitted.error().code == ErrorCode::Cancelled)
        {
            done.stopped = true;
            break;
        }
        if (!fitted)
        {
            done.failures.push_back(std::move(fitted).error().atPlace(where));
            continue;
        }
        if (fitted->result == nullptr)
            continue;
        done.fits.push_back(std::move(*fitted));
        publish(done);
    }
    if (!done.fits.empty())
        return done;
    if (done.stopped)
        return JobContext::cancelled();
    if (!done.failures.empty())
        return done.failures.front();
    return Error{ErrorCode::InvalidArgument, "the cache holds no heads or segments at this stage", {}, {}};
}

std::vector<Place> placesOf(const std::map<LayerIndex, std::vector<Stage>>& stages, LayerIndex first)
{
    std::vector<Place> places;
    for (const bool wanted : {true, false})
        for (const auto& [layer, held] : stages)
            for (const Stage stage : held)
                if ((layer == first) == wanted)
                    places.emplace_back(layer, stage);
    return places;
}

} // namespace headscope::desktop
