// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/probe_result.h"
#include "model/io/cache/cache_reader.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace headscope::desktop
{

/// Which probes to train.
struct ProbeRequest
{
    std::vector<std::pair<LayerIndex, Stage>> places; ///< in the order in which they are fitted
    std::vector<std::int64_t> heads;                  ///< 0-based, at least two
    std::vector<std::int64_t> documents;              ///< ascending; empty: all
    ProbeOptions options;                             ///< without control
    bool control = false;                             ///< each also with shuffled labels
    bool baselines = false;                           ///< each with what its accuracy is compared with
    int numThreads = 1;
};

/// A finished probe, and its control where one was asked for.
struct ProbeFit
{
    std::shared_ptr<const ProbeResult> result;
    std::shared_ptr<const ProbeResult> control;
};

/// What became of a request so far.
struct ProbeFits
{
    std::vector<ProbeFit> fits;  ///< in the order of the request
    std::vector<Error> failures; ///< one for each probe that the data did not allow
    bool stopped = false;        ///< before all were fitted
};

/// Head-index probes of stages and layers, one after the other, as `headscope probe` trains them. Stages
/// that are kept uncut have no heads to tell apart and are left out; a probe that cannot be trained is
/// noted and the others continue.
/// @param publish  after every fit, with all there are so far
/// @return what was fitted, also when the job was stopped on the way
/// @errors InvalidArgument (fewer than two heads, no stage cut into heads), the first failure when all
///         fail, Cancelled (before the first was fitted)
/// @threads to be called on a worker; publish is called on it
[[nodiscard]] Result<ProbeFits> trainProbes(CacheReader& reader, const ProbeRequest& request,
                                            const std::function<void(const ProbeFits&)>& publish, JobContext& job);

/// All places, with layers ascending except `first`, which comes first.
/// @param stages  of each layer
[[nodiscard]] std::vector<std::pair<LayerIndex, Stage>> placesOf(const std::map<LayerIndex, std::vector<Stage>>& stages,
                                                                 LayerIndex first);

} // namespace headscope::desktop
