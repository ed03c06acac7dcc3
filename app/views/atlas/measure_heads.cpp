// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/measure_heads.h"

#include "app/views/layers/measure_layers.h"
#include "model/analysis/heads/removal_differences.h"
#include "model/analysis/probe/label_probe.h"
#include "model/analysis/topics/topic_purity.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// Codes of the documents that count; the others have -1. Empty without labels.
std::vector<std::int32_t> codesOf(const AtlasRequest& request)
{
    const LabelColumn* const column = request.labels.column.empty() ? nullptr : request.labels.codes();
    if (column == nullptr)
        return {};
    if (request.documents.empty())
        return column->codes;
    std::vector<std::int32_t> codes(column->codes.size(), -1);
    for (const std::int64_t document : request.documents)
        codes[static_cast<std::size_t>(document)] = column->codes[static_cast<std::size_t>(document)];
    return codes;
}

/// The purity of each head alone; a head whose labels say nothing has none.
Status addPurity(const std::shared_ptr<const HeadVectors>& vectors, const std::vector<std::int32_t>& codes,
                 const AtlasRequest& request, JobContext& job, AtlasLayer& layer)
{
    if (codes.empty())
        return {};
    const PurityOptions options{request.neighbors, request.answers.permutations, request.answers.seed};
    for (std::int64_t head = 0; head < vectors->heads(); ++head)
    {
        const auto alone = takeHeads(vectors, {head});
        const auto purity = topicPurity(*alone, codes, options, request.numThreads, job);
        if (!purity && purity.error().code == ErrorCode::Cancelled)
            return purity.error();
        const TopicPurity found =
            purity ? *purity : TopicPurity{.share = std::numeric_limits<double>::quiet_NaN(), .ci95 = {}, .null = {}};
        layer.purity.push_back(found.share);
        layer.purityCi95.push_back(found.ci95);
        layer.purityP.push_back(found.null.p);
        if (purity)
            layer.purityChance = found.chance;
        layer.purityDocuments = std::max(layer.purityDocuments, found.documents);
    }
    return {};
}

/// The match of the layer at 1 without each of its heads, less that with all.
Status addLeftOut(const HeadAnalysisInputs& base, const AtlasRequest& request, JobContext& job, AtlasLayer& layer)
{
    if (base.match == nullptr || base.match->topics() < 2 || base.vectors->heads() < 2)
        return {};
    const std::vector<std::int64_t> all = allIndices(base.vectors->heads());
    std::vector<std::vector<std::int32_t>> without;
    for (const std::int64_t head : all)
    {
        std::vector<std::int64_t> others = all;
        std::erase(others, head);
        without.push_back(base.match->matched(others, 1));
        HEADSCOPE_CHECK(job.checkStop());
    }
    HEADSCOPE_TRY(layer.leftOut, pairedDifferences(without, base.match->matched(all, 1), 1, request.answers.seed,
                                                   request.numThreads, job));
    return {};
}

Result<std::shared_ptr<const AtlasLayer>> measureLayer(CacheReader& reader, const AtlasRequest& request,
                                                       LayerIndex layer, JobContext& job)
{
    HEADSCOPE_TRY(const auto vectors, reader.load(layer, request.stage, {}, job));
    if (vectors->heads() != reader.info().header.model.heads)
        return Error{ErrorCode::InvalidArgument,
                     "expected a stage with heads or segments, found one vector per document",
                     {},
                     fmt::format("layer {} stage {}", layer.value(), stageName(request.stage))};
    HEADSCOPE_TRY(auto base, makeHeadBase(reader, vectors, request.labels, request.numThreads, job));
    if (!request.documents.empty())
    {
        HEADSCOPE_TRY(base, headBaseOver(*base, request.documents, request.numThreads, job));
    }
    auto found = std::make_shared<AtlasLayer>();
    found->layer = layer;
    HEADSCOPE_TRY(found->report,
                  describeHeads(*base, request.documents, request.answers, nullptr, request.numThreads, job));
    HEADSCOPE_CHECK(addPurity(vectors, codesOf(request), request, job, *found));
    HEADSCOPE_CHECK(addLeftOut(*base, request, job, *found));
    return std::shared_ptr<const AtlasLayer>(std::move(found));
}

} // namespace

Result<AtlasMeasured> measureHeads(CacheReader& reader, const AtlasRequest& request,
                                   const std::function<void(const AtlasMeasured&)>& publish, JobContext& job)
{
    AtlasMeasured done;
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t count = 0;
    for (const LayerIndex layer : request.layers)
    {
        job.report(fmt::format("measuring layer {}", layer.value()), count++, request.layers.size(), "layers");
        JobContext inner(job.stopToken()); // the whole reports itself, not each of its steps
        auto measured = measureLayer(reader, request, layer, inner);
        if (!measured && measured.error().code == ErrorCode::Cancelled)
        {
            done.stopped = true;
            break;
        }
        if (measured)
            done.layers.push_back(std::move(*measured));
        else
            done.failures.push_back(std::move(measured).error().atPlace(fmt::format("layer {}", layer.value())));
        done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        publish(done);
        if (count < request.layers.size() && asksAgain(request.limit, done.seconds, static_cast<double>(count),
                                                       static_cast<double>(request.layers.size())))
        {
            done.tooLong = true;
            break;
        }
    }
    if (!done.layers.empty())
        return done;
    if (done.stopped)
        return JobContext::cancelled();
    if (!done.failures.empty())
        return done.failures.front();
    return Error{ErrorCode::InvalidArgument, "the cache holds no head vectors of this stage", {}, {}};
}

Result<HeadMeasure> probeHeads(CacheReader& reader, const AtlasRequest& request, int splits,
                               const std::function<void(const HeadMeasure&)>& publish, JobContext& job)
{
    const ModelInfo& model = reader.info().header.model;
    HeadMeasure measure = measureOf("label_probe", request.stage, model.layers, model.heads);
    measure.low = measure.high = measure.p = noValues(model.layers, model.heads);
    measure.intervalMethod = "corrected resampled t, never narrower than Wilson's";
    measure.nullMethod = "labels permuted among the test documents";
    measure.origin = reader.origin();
    measure.source = fmt::format("label {}, {} splits", request.labels.column, splits);
    const std::vector<std::int32_t> codes = codesOf(request);
    if (codes.empty())
        return Error{ErrorCode::InvalidArgument, "the documents have no labels", {}, {}};
    ProbeOptions options;
    options.seed = request.answers.seed;
    std::uint64_t count = 0;
    for (const LayerIndex layer : request.layers)
    {
        job.report(fmt::format("probing layer {}", layer.value()), count++, request.layers.size(), "layers");
        JobContext inner(job.stopToken());
        HEADSCOPE_TRY(const auto vectors, reader.load(layer, request.stage, {}, inner));
        HEADSCOPE_TRY(const LabelProbeResult told, probeLabels(*vectors, allIndices(vectors->heads()), codes, options,
                                                               request.numThreads, inner, splits));
        for (const LabelScore& score : told.heads)
        {
            measure.value(layer.value(), score.head) = score.accuracy;
            measure.low(layer.value(), score.head) = score.ci95.low;
            measure.high(layer.value(), score.head) = score.ci95.high;
            measure.p(layer.value(), score.head) = score.p;
        }
        measure.chance = told.chance();
        measure.count = told.testedDocuments;
        measure.counted = "test documents";
        measure.q = qOf(measure.p);
        publish(measure);
    }
    return measure;
}

} // namespace headscope::desktop
