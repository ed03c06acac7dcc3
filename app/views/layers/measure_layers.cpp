// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/layers/measure_layers.h"

#include "model/analysis/heads/layer_measures.h"
#include "model/data/last_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <numeric>
#include <string>

namespace headscope::desktop
{
namespace
{

using Place = std::pair<LayerIndex, Stage>;

Result<LayerMeasures> measurePlace(CacheReader& reader, const LayersRequest& request, Place place, JobContext& job)
{
    HEADSCOPE_TRY(auto vectors, reader.load(place.first, place.second, {}, job));
    std::vector<std::int32_t> labels = request.labels;
    if (!request.documents.empty())
    {
        vectors = takeRows(vectors, request.documents);
        labels.clear();
        for (const std::int64_t document : request.documents)
            if (!request.labels.empty())
                labels.push_back(request.labels[static_cast<std::size_t>(document)]);
    }
    std::vector<std::int64_t> heads = request.heads;
    if (vectors->heads() != reader.info().header.model.heads) // kept uncut: one vector a document
        heads = allIndices(vectors->heads());
    for (const auto& known : request.known)
        if (known->layer == place.first && known->stage == place.second &&
            known->options.probe.seed == request.options.probe.seed)
            return withPurity(*known, *vectors, heads, labels, request.options.neighbors, request.numThreads, job);
    return measureLayer(*vectors, heads, reader.info().header.model.groupSize(), labels, request.options,
                        request.numThreads, job);
}

} // namespace

Result<LayersMeasured> measureLayers(CacheReader& reader, const LayersRequest& request,
                                     const std::function<void(const LayersMeasured&)>& publish, JobContext& job)
{
    LayersMeasured done;
    std::uint64_t count = 0;
    const auto begin = std::chrono::steady_clock::now();
    const double workOfAll = std::accumulate(request.work.begin(), request.work.end(), 0.0);
    for (const Place& place : request.places)
    {
        const std::string where = fmt::format("layer {} stage {}", place.first.value(), stageName(place.second));
        JobContext inner(job.stopToken()); // the whole reports itself, not each of its steps
        job.report("measuring " + where, count++, request.places.size(), "stages");
        auto measured = measurePlace(reader, request, place, inner);
        if (!measured && measured.error().code == ErrorCode::Cancelled)
        {
            done.stopped = true;
            break;
        }
        if (!measured)
        {
            done.failures.push_back(std::move(measured).error().atPlace(where));
            continue;
        }
        measured->origin = reader.origin();
        measured->afterFinalNorm = afterFinalNorm(reader.info().header.model, place.first, place.second);
        done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (count <= request.work.size())
            done.workDone += request.work[count - 1];
        done.measures.push_back(std::make_shared<const LayerMeasures>(std::move(*measured)));
        publish(done);
        if (count < request.places.size() && asksAgain(request.limit, done.seconds, done.workDone, workOfAll))
        {
            done.tooLong = true;
            break;
        }
    }
    if (!done.measures.empty())
        return done;
    if (done.stopped)
        return JobContext::cancelled();
    if (!done.failures.empty())
        return done.failures.front();
    return Error{ErrorCode::InvalidArgument, "the cache holds no head vectors", {}, {}};
}

std::vector<double> workOf(const LayersRequest& request, const ModelInfo& model, std::int64_t documents)
{
    constexpr double kProbeSteps = 60; // of the middle
    const auto n = static_cast<double>(documents);
    const auto h = static_cast<double>(request.heads.size());
    std::vector<double> work;
    for (const Place& place : request.places)
    {
        const double d = static_cast<double>(place.second == Stage::HeadOutput || model.heads == 0
                                                 ? model.headDim
                                                 : model.modelDim / std::max<std::int64_t>(1, model.heads));
        const bool known = std::any_of(request.known.begin(), request.known.end(), [&place](const auto& each) {
            return each->layer == place.first && each->stage == place.second;
        });
        work.push_back(n * n * h * d + (known ? 0 : n * h * h * d * d + kProbeSteps * 4 * n * h * d * h));
    }
    return work;
}

void LayersPace::add(double work, double seconds, int numThreads)
{
    if (!(work > 0) || !(seconds > 0))
        return;
    constexpr double kOfBefore = 0.5; // the machine may be busier, or less so, than it was
    m_work = kOfBefore * m_work + work;
    m_seconds = kOfBefore * m_seconds + seconds * std::max(1, numThreads);
}

double LayersPace::secondsFor(double work, int numThreads) const
{
    constexpr double kCarefulRate = 2.5e9; // of a slow core, a second
    return work / (measured() ? m_work / m_seconds : kCarefulRate) / std::max(1, numThreads);
}

double extrapolatedSeconds(double seconds, double workDone, double workOfAll)
{
    return workDone > 0 ? seconds * std::max(1.0, workOfAll / workDone) : 0;
}

bool asksAgain(double limit, double seconds, double workDone, double workOfAll)
{
    const double all = extrapolatedSeconds(seconds, workDone, workOfAll);
    return limit > 0 && all > limit && all - seconds > all / 4;
}

std::vector<Place> coarseToFine(const std::map<LayerIndex, std::vector<Stage>>& stages, LayerIndex first)
{
    std::vector<LayerIndex> layers;
    for (const auto& [layer, held] : stages)
        layers.push_back(layer);
    std::vector<LayerIndex> order;
    const auto take = [&order](LayerIndex layer) {
        if (std::find(order.begin(), order.end(), layer) == order.end())
            order.push_back(layer);
    };
    if (stages.contains(first))
        take(first);
    if (!layers.empty())
    {
        take(layers.front());
        take(layers.back());
    }
    // Halves between neighbours, widest first.
    std::deque<std::pair<std::size_t, std::size_t>> gaps;
    if (layers.size() > 2)
        gaps.emplace_back(0, layers.size() - 1);
    while (!gaps.empty())
    {
        const auto [low, high] = gaps.front();
        gaps.pop_front();
        if (high - low < 2)
            continue;
        const std::size_t middle = (low + high) / 2;
        take(layers[middle]);
        gaps.emplace_back(low, middle);
        gaps.emplace_back(middle, high);
    }
    std::vector<Place> places;
    for (const LayerIndex layer : order)
        for (const Stage stage : stages.at(layer))
            places.emplace_back(layer, stage);
    return places;
}

} // namespace headscope::desktop
