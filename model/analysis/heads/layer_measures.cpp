// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/layer_measures.h"

#include "model/analysis/heads/redundancy.h"
#include "model/analysis/probe/probe.h"
#include "model/analysis/topics/topic_purity.h"
#include "model/base/clock.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

/// Notes why a measure is missing and goes on; a cancelled job does not go on.
Status noteMissing(std::string_view measure, Error error, LayerMeasures& measures)
{
    if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::OutOfMemory)
        return error;
    measures.missing.push_back(fmt::format("{}: {}", measure, error.message));
    return {};
}

Status measureProbe(const HeadVectors& vectors, std::span<const std::int64_t> heads, std::int64_t headsPerGroup,
                    int numThreads, JobContext& job, LayerMeasures& measures)
{
    if (heads.size() < 2)
    {
        measures.missing.emplace_back("probe: expected at least 2 heads to distinguish, found 1");
        return {};
    }
    const HeadPoints points = gatherPoints(vectors, allIndices(vectors.documents()), heads, numThreads);
    auto probe = probeHeads(points, heads, headsPerGroup, vectors.stage(), vectors.layer(), measures.options.probe,
                            numThreads, job);
    if (!probe)
        return noteMissing("probe", std::move(probe).error(), measures);
    measures.accuracy = probe->accuracy;
    measures.accuracyCi95 = {probe->ci95Low, probe->ci95High};
    measures.accuracyMethod = probe->ci95Method;
    measures.effectiveRows = probe->effectiveRows;
    measures.testDocuments = numTestDocuments(*probe);
    measures.accuracyChance = 1 / static_cast<double>(probe->classes);
    measures.converged = probe->converged;
    return {};
}

Status measurePurity(const HeadVectors& vectors, std::span<const std::int32_t> labels, int numThreads, JobContext& job,
                     LayerMeasures& measures)
{
    if (labels.empty())
    {
        measures.missing.emplace_back("topic purity: the documents have no labels");
        return {};
    }
    auto purity = topicPurity(vectors, labels,
                              {.neighbors = measures.options.neighbors,
                               .permutations = measures.options.permutations,
                               .seed = measures.options.probe.seed},
                              numThreads, job);
    if (!purity)
        return noteMissing("topic purity", std::move(purity).error(), measures);
    measures.purity = purity->share;
    measures.purityCi95 = purity->ci95;
    measures.purityNull = purity->null;
    measures.purityChance = purity->chance;
    measures.purityDocuments = purity->documents;
    if (purity->neighbors == purity->documents - 1)
        measures.missing.push_back(fmt::format("topic purity, its interval and p: all {} other documents are among the "
                                               "{} nearest, so the values depend only on the sizes of the labels",
                                               purity->neighbors, measures.options.neighbors));
    return {};
}

Status measureRedundancy(const HeadVectors& vectors, int numThreads, JobContext& job, LayerMeasures& measures)
{
    if (vectors.heads() < 2)
    {
        measures.missing.emplace_back("redundancy: expected at least 2 heads to compare, found 1");
        return {};
    }
    auto likeness = headCka(vectors, measures.options.cka, numThreads, job);
    if (!likeness)
        return noteMissing("redundancy", std::move(likeness).error(), measures);
    measures.redundancyPairs = likeness->pairs;
    measures.redundancy = likeness->meanCka;
    measures.redundancyCi95 = likeness->meanCkaCi95;
    if (measures.redundancyPairs == 0)
        measures.missing.emplace_back("redundancy: expected at least two heads whose vectors vary, found fewer");
    return {};
}

/// The vectors of the chosen heads: not owned, and not copied where all are chosen.
std::shared_ptr<const HeadVectors> headsAlone(const HeadVectors& vectors, std::span<const std::int64_t> heads)
{
    const std::shared_ptr<const HeadVectors> all(&vectors, [](const HeadVectors*) {});
    return std::ssize(heads) == vectors.heads() ? all : takeHeads(all, std::vector(heads.begin(), heads.end()));
}

Status checkHeads(const HeadVectors& vectors, std::span<const std::int64_t> heads)
{
    if (!heads.empty() && heads.front() >= 0 && heads.back() < vectors.heads())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected heads from 1 to {}, found {}", vectors.heads(),
                             heads.empty() ? "none" : std::to_string(heads.back() + 1)),
                 {},
                 {}};
}

} // namespace

Result<LayerMeasures> measureLayer(const HeadVectors& vectors, std::span<const std::int64_t> heads,
                                   std::int64_t headsPerGroup, std::span<const std::int32_t> labels,
                                   const LayerOptions& options, int numThreads, JobContext& job)
{
    const auto clock = Clock::now();
    HEADSCOPE_CHECK(checkHeads(vectors, heads));
    LayerMeasures measures;
    measures.layer = vectors.layer();
    measures.stage = vectors.stage();
    measures.options = options;
    measures.documents = vectors.documents();
    measures.heads = std::ssize(heads);
    HEADSCOPE_CHECK(measureProbe(vectors, heads, headsPerGroup, numThreads, job, measures));
    const auto chosen = headsAlone(vectors, heads);
    HEADSCOPE_CHECK(measurePurity(*chosen, labels, numThreads, job, measures));
    HEADSCOPE_CHECK(measureRedundancy(*chosen, numThreads, job, measures));
    measures.seconds = secondsSince(clock);
    return measures;
}

Result<LayerMeasures> withPurity(LayerMeasures known, const HeadVectors& vectors, std::span<const std::int64_t> heads,
                                 std::span<const std::int32_t> labels, int neighbors, int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkHeads(vectors, heads));
    std::erase_if(known.missing, [](const std::string& sentence) { return sentence.starts_with("topic purity"); });
    known.options.neighbors = neighbors;
    known.purity = LayerMeasures().purity;
    known.purityCi95 = {};
    known.purityNull = {};
    known.purityChance = LayerMeasures().purityChance;
    known.purityDocuments = 0;
    HEADSCOPE_CHECK(measurePurity(*headsAlone(vectors, heads), labels, numThreads, job, known));
    return known;
}

} // namespace headscope
