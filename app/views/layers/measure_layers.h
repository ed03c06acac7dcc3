// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/layer_results.h"
#include "model/io/cache/cache_reader.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace headscope::desktop
{

/// Which stages of which layers to measure, and how.
struct LayersRequest
{
    std::vector<std::pair<LayerIndex, Stage>> places; ///< in the order in which they are measured
    std::vector<std::int64_t> heads;                  ///< 0-based, ascending
    std::vector<std::int64_t> documents;              ///< ascending; empty: all
    std::vector<std::int32_t> labels;                 ///< [N] code of each document, -1 = none; empty: no labels
    LayerOptions options;
    LayerList known; ///< of these heads and documents with other labels: their probes and similarities are kept
    int numThreads = 1;
    std::vector<double> work; ///< [places] as workOf() counts it; empty: no time is told
    /// Seconds that a run may take which the user did not start: it ends after the stage at which asksAgain() is
    /// true. 0: no limit.
    double limit = 0;
};

/// What became of a request so far.
struct LayersMeasured
{
    LayerList measures;          ///< in the order of the request
    std::vector<Error> failures; ///< one for each stage that could not be measured at all
    bool stopped = false;
    bool tooLong = false; ///< ended by the limit of the request
    double seconds = 0;   ///< that passed so far
    double workDone = 0;  ///< of the request, in those
};

/// Measures stages of layers one after the other, with the heads and documents of the request, as `headscope
/// layers` does. One that fails is noted and the others continue.
/// @param publish  after every stage, with all there are so far
/// @return what was measured, also when the job was stopped on the way
/// @errors the first failure when all fail, InvalidArgument (no place), Cancelled (before the first)
/// @threads to be called on a worker; publish is called on it
[[nodiscard]] Result<LayersMeasured> measureLayers(CacheReader& reader, const LayersRequest& request,
                                                   const std::function<void(const LayersMeasured&)>& publish,
                                                   JobContext& job);

/// Rough number of multiply-adds for each place of the request; of a place that is known already only the purity
/// counts.
/// @param documents  of the cache
[[nodiscard]] std::vector<double> workOf(const LayersRequest& request, const ModelInfo& model, std::int64_t documents);

/// How fast this machine measures layers: a careful guess until a stage was timed here, then what was timed.
/// @threads a value; reentrant
class LayersPace
{
public:
    /// Records a timed run. Later runs count more than earlier ones.
    void add(double work, double seconds, int numThreads);
    [[nodiscard]] bool measured() const { return m_seconds > 0; }
    /// Estimated seconds for `work` multiply-adds.
    [[nodiscard]] double secondsFor(double work, int numThreads) const;

private:
    double m_work = 0;
    double m_seconds = 0; ///< of one thread
};

/// The whole run's time in seconds, extrapolated from the work done so far; 0 while nothing is done.
[[nodiscard]] double extrapolatedSeconds(double seconds, double workDone, double workOfAll);
/// Whether a run that the user did not start must stop: it would take longer than `limit` seconds, and more than a
/// quarter of its time is still to come.
[[nodiscard]] bool asksAgain(double limit, double seconds, double workDone, double workOfAll);

/// All stages of all layers, so that the shape of the whole shows early: one layer first, then the ends,
/// then the middles between those there are.
[[nodiscard]] std::vector<std::pair<LayerIndex, Stage>>
coarseToFine(const std::map<LayerIndex, std::vector<Stage>>& stages, LayerIndex first);

} // namespace headscope::desktop
