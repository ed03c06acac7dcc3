// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/results/probe_baseline_results.h"
#include "model/data/results/probe_result.h"

#include <cstdint>
#include <span>

namespace headscope
{

struct ProbeBaselineOptions
{
    int splits = 10;        ///< probes over the seeds seed, seed + 1, ...; 0: none
    int permutations = 200; ///< of the null that needs no refits
    int resamples = 1000;   ///< of the intervals of the control task and its gap
    int controlDraws = 5;   ///< of the clusters and names of the control task
};

/// Rows x columns up to which baselines are made unless they are refused: some seconds of one core.
inline constexpr std::int64_t kMaxBaselineNumbers = 1'000'000;

/// What a head-index probe's accuracy is to be compared with, and how much it varies with the split.
///
/// Everything uses the probe's own options, and for the baselines its own split of documents.
///
/// The control task asks what the probe could learn that is not about heads. Hewitt & Liang give each word type a
/// random but fixed label; here the type of a row is (its head, the cluster of its document), where documents are
/// clustered into as many k-means cells as there are heads (mean of the document's vectors, each less its head's mean;
/// cells from training documents alone). Each cluster has a permutation of the heads of its own as labels: every
/// document still has every label once, so chance stays 1 / H, test rows are of types that trained, and what must be
/// learned is arbitrary. The control-task gap (their
/// "selectivity") is accuracy minus accuracy of the control task. Clusters and names are drawn several times: the draw
/// moves the gap about as much as the test documents do, and intervals hold both.
///
/// @param points  as probeHeads took them
/// @param probe   what probeHeads gave: its options are used, its predictions compared
/// @param headsPerGroup  for GroupErrors; of segments 0, or where groups hold one head or all
/// @errors  those of runProbe, Cancelled
/// @threads fits run side by side, one a thread; result independent of the number of threads, but for `seconds`
/// @cost    4 + splits + controlDraws fits of the size of the probe
/// @source  Hewitt & Liang 2019, Designing and Interpreting Probes with Control Tasks (arXiv 1909.03368)
[[nodiscard]] Result<ProbeBaselines> probeBaselines(const HeadPoints& points, std::span<const std::int64_t> heads,
                                                    std::int64_t headsPerGroup, const ProbeResult& probe,
                                                    const ProbeBaselineOptions& options, int numThreads,
                                                    JobContext& job);

/// Puts its baselines beside a probe, or why the data do not allow them: no document may have a vector of every head.
/// @errors Cancelled, OutOfMemory and what else is no fault of the data
[[nodiscard]] Status addBaselines(ProbeResult& result, const HeadPoints& points, std::span<const std::int64_t> heads,
                                  std::int64_t headsPerGroup, const ProbeBaselineOptions& options, int numThreads,
                                  JobContext& job);

/// probeHeads, and addBaselines.
[[nodiscard]] Result<ProbeResult> probeHeadsWithBaselines(const HeadPoints& points, std::span<const std::int64_t> heads,
                                                          std::int64_t headsPerGroup, Stage stage, LayerIndex layer,
                                                          const ProbeOptions& options,
                                                          const ProbeBaselineOptions& baselines, int numThreads,
                                                          JobContext& job);

} // namespace headscope
