// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/describe_heads.h"

#include "app/results/topic_loading.h"
#include "model/analysis/heads/head_report.h"
#include "model/analysis/heads/head_sums.h"
#include "model/analysis/heads/pruning.h"
#include "model/analysis/heads/pruning_validation.h"
#include "model/analysis/heads/redundancy.h"
#include "model/analysis/heads/removal_differences.h"
#include "model/analysis/heads/savings.h"
#include "model/analysis/statistics/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr std::int64_t kRetrieved = 10;
constexpr double kTestShare = 0.2;

std::vector<std::int64_t> headsOf(const std::vector<bool>& kept)
{
    std::vector<std::int64_t> heads;
    for (std::size_t head = 0; head < kept.size(); ++head)
        if (kept[head])
            heads.push_back(static_cast<std::int64_t>(head));
    return heads;
}

/// Labels of these documents alone (ascending; empty: all); the others have none.
LabelColumn labelsOf(LabelColumn labels, const std::vector<std::int64_t>& documents)
{
    if (!documents.empty())
        for (std::size_t row = 0; row < labels.codes.size(); ++row)
            if (!std::binary_search(documents.begin(), documents.end(), static_cast<std::int64_t>(row)))
                labels.codes[row] = -1;
    return labels;
}

Status addMatch(HeadAnalysisInputs& base, int numThreads, JobContext& job)
{
    base.match.reset();
    HEADSCOPE_TRY(HeadMatch match,
                  HeadMatch::create(*base.vectors, *base.topics.vectors, base.labels->codes,
                                    orderingMatchAt(base.topics.vectors->documents()), numThreads, job));
    if (match.labelled() > 0)
        base.match = std::make_shared<const HeadMatch>(std::move(match));
    return {};
}

/// Answers of these documents; what they cannot say becomes the notice.
Status addAnswers(HeadReport& report, const HeadAnalysisInputs& base, const std::vector<std::int64_t>& documents,
                  const HeadAnswerOptions& asked, int numThreads, JobContext& job)
{
    report.topTopic.resize(report.statistics.size());
    if (!base.labels)
    {
        report.notice = base.notice;
        return {};
    }
    const LabelColumn labels = labelsOf(*base.labels, documents);
    const TopicInput input = topicInput(*base.vectors, *base.topics.vectors, base.full, &labels);
    auto answers = headAnswers(input, asked, numThreads, job);
    if (!answers)
    {
        if (answers.error().code == ErrorCode::Cancelled)
            return answers.error();
        report.notice = answers.error().message;
        return {};
    }
    report.answers = std::move(*answers);
    report.notice = report.answers->selectivityMissing;
    for (std::size_t head = 0; head < report.topTopic.size(); ++head)
        if (const std::int32_t top = report.answers->topTopic[head]; top >= 0)
            report.topTopic[head] = labels.categories[static_cast<std::size_t>(top)];
    return {};
}

} // namespace

Result<std::shared_ptr<const HeadAnalysisInputs>> makeHeadBase(CacheReader& reader,
                                                               std::shared_ptr<const HeadVectors> vectors,
                                                               const HeatmapLabels& from, int numThreads,
                                                               JobContext& job)
{
    auto base = std::make_shared<HeadAnalysisInputs>();
    base->vectors = std::move(vectors);
    base->origin = reader.origin();
    const LabelColumn* labels = from.column.empty() ? nullptr : from.documents->label(from.column);
    const LayerIndex layer = base->vectors->layer();
    const Stage stage = base->vectors->stage();
    const std::string column = labels == nullptr ? std::string() : from.topicColumn;
    if (auto lack = whyNoTopics(reader, column, layer, stage, "the response of heads to topics is"))
    {
        base->notice = std::move(*lack);
        return std::shared_ptr<const HeadAnalysisInputs>(std::move(base));
    }
    HEADSCOPE_TRY(LoadedTopics loaded, loadTopics(reader, layer, stage, from.topicChoice(), job));
    base->topics = std::move(loaded.topics);
    base->full = std::move(loaded.full);
    base->labels = *labels;
    HEADSCOPE_CHECK(addMatch(*base, numThreads, job));
    return std::shared_ptr<const HeadAnalysisInputs>(std::move(base));
}

Result<std::shared_ptr<const HeadAnalysisInputs>>
headBaseOver(const HeadAnalysisInputs& base, std::vector<std::int64_t> documents, int numThreads, JobContext& job)
{
    auto part = std::make_shared<HeadAnalysisInputs>(base); // the same vectors
    part->documents = std::move(documents);
    if (part->labels)
    {
        part->labels = labelsOf(std::move(*part->labels), part->documents);
        HEADSCOPE_CHECK(addMatch(*part, numThreads, job));
    }
    return std::shared_ptr<const HeadAnalysisInputs>(std::move(part));
}

Result<std::shared_ptr<const HeadReport>> describeHeads(const HeadAnalysisInputs& base,
                                                        const std::vector<std::int64_t>& documents,
                                                        const HeadAnswerOptions& asked, const HeadReport* known,
                                                        int numThreads, JobContext& job)
{
    auto report = std::make_shared<HeadReport>();
    const HeadVectors& vectors = *base.vectors;
    report->origin = base.origin;
    report->stage = vectors.stage();
    report->layer = vectors.layer();
    report->allDocuments = vectors.documents();
    report->documents = documents.empty() ? vectors.documents() : std::ssize(documents);
    std::vector<std::int32_t> part;
    if (!documents.empty())
    {
        part.assign(static_cast<std::size_t>(vectors.documents()), -1);
        for (const std::int64_t document : documents)
            part[static_cast<std::size_t>(document)] = 0;
    }
    HEADSCOPE_TRY(const HeadSums sums, HeadSums::collect(vectors, part, 1, numThreads, job));
    report->statistics = sums.statistics(std::array<std::int64_t, 1>{0});
    HEADSCOPE_CHECK(addAnswers(*report, base, documents, asked, numThreads, job));
    if (known != nullptr)
    {
        report->redundancy = known->redundancy;
        report->planes = known->planes;
        return std::shared_ptr<const HeadReport>(std::move(report));
    }
    auto redundancy = headRedundancy(vectors, {}, numThreads, job);
    if (redundancy)
    {
        HEADSCOPE_TRY(report->planes, headPlanes(*redundancy, job));
        report->redundancy = std::move(*redundancy);
    }
    else if (redundancy.error().code == ErrorCode::Cancelled)
        return redundancy.error();
    else if (report->notice.empty())
        report->notice = redundancy.error().message;
    return std::shared_ptr<const HeadReport>(std::move(report));
}

namespace
{

/// The match at one k of some heads and of all, with their difference.
Status addMatchAt(std::size_t at, const HeadMatch& match, std::uint64_t seed, int numThreads, JobContext& job,
                  MaskEffects& values)
{
    const std::int64_t k = MaskEffects::kMatchAt[at];
    const std::vector<std::vector<std::int32_t>> some = {match.matched(headsOf(values.kept), k)};
    const auto whole = match.matched(allIndices(match.heads()), k);
    const auto labelled = static_cast<double>(match.labelled());
    const auto hits = [](const std::vector<std::int32_t>& matched) {
        return static_cast<double>(std::accumulate(matched.begin(), matched.end(), std::int64_t{0}));
    };
    values.match[at] = hits(some.front()) / labelled;
    values.matchAll[at] = hits(whole) / labelled;
    if (k < match.topics())
    {
        values.matchCi95[at] = wilsonInterval(hits(some.front()), labelled);
        values.matchAllCi95[at] = wilsonInterval(hits(whole), labelled);
    }
    HEADSCOPE_TRY(const auto differences, pairedDifferences(some, whole, 1, seed, numThreads, job));
    values.matchDifference[at] = differences.front();
    return {};
}

} // namespace

Result<MaskEffects> measureMask(const HeadAnalysisInputs& base, const HeadSetMeasure* retrieval,
                                const std::vector<bool>& kept, const ModelInfo& model, std::uint64_t seed,
                                int numThreads, JobContext& job)
{
    MaskEffects values;
    values.kept = kept;
    values.origin = base.origin;
    values.allDocuments = base.vectors->documents();
    values.documents = base.documents.empty() ? values.allDocuments : std::ssize(base.documents);
    values.topics = base.match == nullptr ? 0 : base.match->topics();
    values.labelled = base.match == nullptr ? 0 : base.match->labelled();
    for (std::size_t i = 0; i < MaskEffects::kMatchAt.size(); ++i)
    {
        values.match[i] = values.matchAll[i] = std::numeric_limits<double>::quiet_NaN();
        if (base.match != nullptr)
            HEADSCOPE_CHECK(addMatchAt(i, *base.match, seed, numThreads, job, values));
    }
    if (retrieval != nullptr)
    {
        const std::vector<bool> all(kept.size(), true);
        const std::vector<std::vector<std::int64_t>> nothing(1);
        HEADSCOPE_TRY(const auto some, retrieval->flipped(kept, nothing, numThreads, job));
        HEADSCOPE_TRY(const auto whole, retrieval->flipped(all, nothing, numThreads, job));
        values.retrieval = some.front().value;
        values.retrievalAll = whole.front().value;
        HEADSCOPE_TRY(values.retrievalDifference, maskDifference(*retrieval, kept, seed, numThreads, job));
    }
    const HeadSavings saved = savingsWithout(kept, model, base.vectors->stage());
    values.parametersSaved = saved.parameters;
    values.kvBytesSaved = saved.kvBytes;
    return values;
}

Result<MaskProbe> probeOfMask(const HeadAnalysisInputs& base, const std::vector<bool>& kept,
                              std::vector<std::int32_t> right, std::uint64_t seed, int numThreads, JobContext& job)
{
    if (!base.labels)
        return Error{ErrorCode::InvalidArgument, base.notice, {}, {}};
    HEADSCOPE_TRY(const HeadTopicProbe probe,
                  HeadTopicProbe::create(*base.vectors, base.labels->codes, kTestShare, seed));
    const std::vector<std::vector<std::int64_t>> nothing(1);
    MaskProbe result;
    result.right = std::move(right);
    if (result.right.empty())
    {
        HEADSCOPE_TRY(auto whole, probe.scores(std::vector<bool>(kept.size(), true), nothing, numThreads, job));
        result.right = std::move(whole.front());
    }
    HEADSCOPE_TRY(const auto some, probe.scores(kept, nothing, numThreads, job));
    const auto share = [&probe](const std::vector<std::int32_t>& scores) {
        return static_cast<double>(std::accumulate(scores.begin(), scores.end(), std::int64_t{0})) /
               static_cast<double>(probe.tested());
    };
    result.all = share(result.right);
    result.on = share(some.front());
    HEADSCOPE_TRY(const auto differences, pairedDifferences(some, result.right, 1, seed, numThreads, job));
    result.difference = differences.front();
    return result;
}

Result<PruningFindings> judgeOrder(const HeadAnalysisInputs& base, PruningFindings findings, const ModelInfo& model,
                                   bool groups, std::uint64_t seed, int numThreads, JobContext& job)
{
    const PruningUnit unit = groups ? PruningUnit::Groups : PruningUnit::Heads;
    findings.documents = base.match->labelled();
    findings.isCertain = base.match->isCertain();
    if (findings.isCertain)
        return findings;
    HEADSCOPE_TRY(findings.alone, withoutEach(*base.match, model, unit, numThreads, job));
    HEADSCOPE_TRY(findings.differences, removalDifferences(*base.match, model, unit, seed, numThreads, job));
    if (findings.documents < kMinChanged)
        return findings; // halves of a handful are few different ones
    HEADSCOPE_TRY(findings.validation,
                  validateByHalves(*base.match, model, unit, PruningOrder::Backward, {.seed = seed}, numThreads, job));
    return findings;
}

Result<std::shared_ptr<const HeadRetrieval>>
makeRetrievalMeasure(const HeadAnalysisInputs& base, const DocumentSet& documents,
                     const std::unordered_map<std::string, std::vector<std::int64_t>>& relevant, int numThreads,
                     JobContext& job)
{
    std::vector<RelevantQuery> queries;
    const auto asks = [&asking = base.documents](std::size_t row) {
        return asking.empty() || std::binary_search(asking.begin(), asking.end(), static_cast<std::int64_t>(row));
    };
    for (std::size_t row = 0; row < documents.ids.size(); ++row)
        if (const auto wanted = relevant.find(documents.ids[row]); wanted != relevant.end() && asks(row))
            queries.push_back({static_cast<std::int64_t>(row), static_cast<std::int64_t>(row), wanted->second});
    if (queries.empty())
        return std::shared_ptr<const HeadRetrieval>();
    HEADSCOPE_TRY(HeadRetrieval retrieval,
                  HeadRetrieval::create(*base.vectors, *base.vectors, std::move(queries), kRetrieved, numThreads, job));
    return std::make_shared<const HeadRetrieval>(std::move(retrieval));
}

} // namespace headscope::desktop
