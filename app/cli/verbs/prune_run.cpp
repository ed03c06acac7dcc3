// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/prune_run.h"

#include "app/cli/retrieval_input.h"
#include "app/results/label_presence.h"
#include "app/results/provenance.h"
#include "model/analysis/heads/best_subsets.h"
#include "model/analysis/heads/pruning.h"
#include "model/analysis/heads/removal_differences.h"
#include "model/base/clock.h"
#include "model/base/numbers/all_finite.h"
#include "model/data/frame/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace headscope::cli
{
namespace
{

constexpr double kTestShare = 0.2;
constexpr std::int64_t kShuffles = 999;

/// A choice of one unit is no choice: says which ones there would have to be.
Status checkUnits(const commands::PruneCommand& command, const ModelInfo& model)
{
    if (command.units == "groups" && model.kvHeads == 1 && model.heads > 1)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("this model has a single KV group ({} heads share the same keys and values), so no "
                                 "group can be removed; --units heads removes heads",
                                 model.heads),
                     command.input.cache, "--units"};
    if (model.heads == 1)
        return Error{ErrorCode::InvalidArgument,
                     "this model has a single head, which cannot be removed",
                     command.input.cache,
                     {}};
    return {};
}

Status checkHeads(const commands::PruneCommand& command, const CacheInput& input, const HeadVectors& vectors)
{
    if (vectors.heads() != input.model().heads)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a stage of {} heads, found a full vector", input.model().heads),
                     command.input.cache, "--stage"};
    if (command.units == "groups" && unitName(vectors.stage()) != "head")
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected stage 1 for KV groups, found stage {}, whose segments have no groups",
                                 stageName(vectors.stage())),
                     command.input.cache, "--units"};
    if (command.units == "groups" && (input.model().kvHeads < 1 || input.model().heads % input.model().kvHeads != 0))
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a number of KV heads that divides {}, found {}", input.model().heads,
                                 input.model().kvHeads),
                     command.input.cache, "--units"};
    return checkUnits(command, input.model());
}

Error noLabels(const commands::PruneCommand& command, const LabelColumn& labels)
{
    return {ErrorCode::InvalidArgument,
            fmt::format("no document has a label in column \"{}\"", labels.name),
            command.input.cache,
            {}};
}

/// The k of a value of --measure.
std::int64_t matchAt(const std::string& measure, std::int64_t topics)
{
    if (measure == "auto")
        return orderingMatchAt(topics);
    std::int64_t k = 0;
    const std::string digits = measure.substr(std::string_view("match").size());
    std::from_chars(digits.data(), digits.data() + digits.size(), k);
    return k;
}

Result<PruneMeasure> measureMatch(const commands::PruneCommand& command, const CacheInput& input,
                                  const CommonOptions& common, JobContext& job)
{
    HEADSCOPE_TRY(const TopicData data,
                  loadTopicData(input, command.input, input.layers.front(), input.stages.front(), job));
    HEADSCOPE_CHECK(checkHeads(command, input, *data.documents));
    const std::int64_t topics = data.topics.vectors->documents();
    const std::int64_t k = matchAt(command.measure, topics);
    HEADSCOPE_TRY(HeadMatch match, HeadMatch::create(*data.documents, *data.topics.vectors, data.labels.codes, k,
                                                     common.numThreads(), job));
    PruneMeasure measured;
    if (match.labelled() == 0)
        return noLabels(command, data.labels);
    measured.key = fmt::format("match{}", k);
    measured.of = fmt::format("{} labelled documents, {} topics", withCommas(match.labelled()), topics);
    measured.hash = hashOfVectors(std::array{data.documents.get(), data.topics.vectors.get()});
    measured.notices = data.notices;
    const auto more = topicNotices(data);
    measured.notices.insert(measured.notices.end(), more.begin(), more.end());
    measured.isCertain = k >= topics;
    if (measured.isCertain)
        measured.notices.push_back(
            fmt::format("{} of {} topics: every document matches, whichever heads remain; there is nothing to test",
                        measured.key, topics));
    const LabelPresence present = labelPresence(data.labels);
    measured.presence = presentText(present, std::array{k}, topics) + majorityText(present);
    measured.majority = present.majority();
    if (present.present == 1 && !measured.isCertain)
    {
        measured.isCertain = true;
        measured.notices.emplace_back("Only one topic occurs among these documents. A head that always predicts this "
                                      "topic is always correct; there is nothing to test");
    }
    if (!measured.isCertain)
        measured.null = match.nullOfAll(kShuffles, common.seed);
    measured.name = commands::measureName(measured.key);
    measured.scored = "labelled documents";
    measured.unit = "document";
    measured.chance = static_cast<double>(std::min(k, topics)) / static_cast<double>(topics);
    measured.chanceMeans = "topics in random order";
    measured.vectors = data.documents;
    measured.measure = std::make_unique<HeadMatch>(std::move(match));
    return measured;
}

Result<PruneMeasure> measureProbe(const commands::PruneCommand& command, const CacheInput& input,
                                  const CommonOptions& common, JobContext& job)
{
    HEADSCOPE_TRY(ChosenLabels chosen, loadLabels(input, command.input));
    PruneMeasure measured;
    measured.key = command.measure;
    HEADSCOPE_TRY(measured.vectors, input.cache->load(input.layers.front(), input.stages.front(), {}, job));
    HEADSCOPE_CHECK(checkHeads(command, input, *measured.vectors));
    HEADSCOPE_TRY(HeadTopicProbe probe,
                  HeadTopicProbe::create(*measured.vectors, chosen.labels.codes, kTestShare, common.seed));
    measured.name = "probe accuracy";
    measured.scored = "test documents";
    measured.unit = "document";
    measured.chance = probe.chance();
    measured.guessing = probe.guessing();
    measured.majority = probe.majority();
    measured.chanceMeans = fmt::format("the larger of guessing among the labels, {:.4f}, and of always predicting the "
                                       "most common label of the training documents, {:.4f}",
                                       probe.guessing(), probe.majority());
    measured.split = fmt::format("one split of the documents, with seed {}", common.seed);
    measured.of = fmt::format(
        "probe for \"{}\" on the concatenated vectors of the {}s, C = 1, {} training documents, {} test documents, {}",
        chosen.labels.name, unitName(measured.vectors->stage()), withCommas(probe.trained()),
        withCommas(probe.tested()), measured.split);
    measured.hash = hashOfVectors(std::array{measured.vectors.get()});
    measured.notices = std::move(chosen.notices);
    for (std::string& notice : labelNotices(chosen.labels))
        measured.notices.push_back(std::move(notice));
    const auto more = vectorNotices(*measured.vectors, input.rows);
    measured.notices.insert(measured.notices.end(), more.begin(), more.end());
    measured.measure = std::make_unique<HeadTopicProbe>(std::move(probe));
    return measured;
}

/// Says which documents, and which of the queries that ask, have no direction, and in which heads others have none.
void noteGaps(PruneMeasure& measured, const CacheInput& input, const RetrievalQueries& queries,
              const std::vector<std::int64_t>& asking)
{
    const HeadVectors& vectors = *measured.vectors;
    auto& [documents, asked] = measured.leftOut.emplace();
    std::vector<std::int64_t> ranked;
    for (std::int64_t at = 0; at < vectors.documents(); ++at)
    {
        const Pointing direction = directionOf(vectors.full(DocumentIndex(at)));
        documents.add(direction,
                      input.documents->ids[static_cast<std::size_t>(input.rows[static_cast<std::size_t>(at)])]);
        if (direction == Pointing::Points)
            ranked.push_back(at);
    }
    for (const std::int64_t query : asking)
        asked.add(directionOf(queries.vectors.heads->full(DocumentIndex(query))),
                  queries.ids[static_cast<std::size_t>(query)]);
    for (std::string notice : {documents.notice("document", "documents"), asked.notice("query", "queries")})
        if (!notice.empty())
            measured.notices.push_back(std::move(notice));
    const std::string_view unit = unitName(vectors.stage());
    if (const std::string zero = byHead(gapsOf(vectors, ranked, allIndices(vectors.heads())).zero, unit); !zero.empty())
        measured.notices.push_back(
            fmt::format("a {} does not rank documents in which its vector is zero ({})", unit, zero));
}

Result<PruneMeasure> measureRetrieval(const commands::PruneCommand& command, const CacheInput& input,
                                      const CommonOptions& common, JobContext& job)
{
    HEADSCOPE_TRY(SearchVectors searched,
                  loadSearchVectors(*input.cache, input.layers.front(), input.stages.front(), job));
    HEADSCOPE_CHECK(checkHeads(command, input, *searched.heads));
    RetrievalQueries queries;
    bool same = command.queries.empty(); // queries that are documents of the searched cache do not find themselves
    if (same)
        queries = {.ids = input.documents->ids, .vectors = searched, .sameAs = {}, .relevant = {}};
    else
    {
        HEADSCOPE_TRY(queries, readQueries(command.queries, input.layers.front(), input.stages.front(), searched, job));
        same = !queries.identity.empty() && queries.identity == input.cache->info().identity;
    }
    HEADSCOPE_TRY(const auto relevant, relevantRows(command.relevant, queries, *input.documents));
    // Relevant documents outside of --documents stay relevant and are never found.
    std::vector<std::int64_t> place(searched.heads->documents() > 0 ? input.documents->ids.size() : 0, -1);
    for (std::size_t at = 0; at < input.rows.size(); ++at)
        place[static_cast<std::size_t>(input.rows[at])] = static_cast<std::int64_t>(at);
    std::vector<RelevantQuery> asking;
    std::vector<std::int64_t> asked;
    for (std::size_t query = 0; query < queries.ids.size(); ++query)
    {
        const auto wanted = relevant.find(queries.ids[query]);
        if (wanted == relevant.end())
            continue;
        RelevantQuery one{static_cast<std::int64_t>(query), same ? place[query] : -1, {}};
        for (const std::int64_t row : wanted->second)
            one.relevant.push_back(place[static_cast<std::size_t>(row)]);
        asking.push_back(std::move(one));
        asked.push_back(static_cast<std::int64_t>(query));
    }
    PruneMeasure measured;
    measured.key = command.measure;
    measured.vectors = takeRows(searched.heads, input.rows);
    HEADSCOPE_TRY(HeadRetrieval retrieval,
                  HeadRetrieval::create(*measured.vectors, *queries.vectors.heads, std::move(asking), command.top,
                                        common.numThreads(), job));
    measured.name = fmt::format("recall at {} by cosine", command.top);
    measured.scored = "queries";
    measured.unit = "query";
    measured.chance = retrieval.chance();
    measured.chanceMeans = "documents in random order";
    measured.of = fmt::format("{} queries in {} documents, by the cosine of the concatenated vectors of the {}s (not "
                              "by votes as in retrieve)",
                              withCommas(retrieval.queries()), withCommas(measured.vectors->documents()),
                              unitName(measured.vectors->stage()));
    measured.hash = hashOfVectors(std::array{measured.vectors.get(), queries.vectors.heads.get()});
    noteGaps(measured, input, queries, asked);
    if (!queries.notice.empty())
        measured.notices.push_back(queries.notice);
    measured.measure = std::make_unique<HeadRetrieval>(std::move(retrieval));
    return measured;
}

} // namespace

PruningUnit unitOf(const commands::PruneCommand& command)
{
    return command.units == "groups" ? PruningUnit::Groups : PruningUnit::Heads;
}

PruningOrder orderOf(const commands::PruneCommand& command)
{
    if (command.order == "single")
        return PruningOrder::Single;
    return command.order == "forward" ? PruningOrder::Forward : PruningOrder::Backward;
}

std::int64_t halvingsOf(const commands::PruneCommand& command)
{
    constexpr std::int64_t kHalvingsOfProbe = 20; // every set that a half tries is a probe to fit
    if (command.validate == "none")
        return 0;
    return command.measure == "probe" ? kHalvingsOfProbe : HalvingOptions().halvings;
}

Result<PruneMeasure> pruneMeasure(const commands::PruneCommand& command, const CacheInput& input,
                                  const CommonOptions& common, JobContext& job)
{
    if (command.measure == "retrieval")
        return measureRetrieval(command, input, common, job);
    return command.measure == "probe" ? measureProbe(command, input, common, job)
                                      : measureMatch(command, input, common, job);
}

namespace
{

/// Halvings of a handful of documents are few different ones: their quantiles are left out.
void dropFewQuantiles(std::int64_t scored, Pruned& pruned)
{
    if (scored >= kMinChanged)
        return;
    const auto drop = [](HeldOutGain& gain) {
        gain.chosenCi95 = {};
        gain.elsewhereCi95 = {};
    };
    drop(pruned.validation.best);
    drop(pruned.validation.fewest);
    for (HeldOutGain& gain : pruned.validation.byKept)
        drop(gain);
    for (BestSubset& best : pruned.best)
        if (best.held)
            drop(*best.held);
    for (std::optional<HeldOutGain>* gain : {&pruned.bestSize, &pruned.fewestUnits})
        if (*gain)
            drop(**gain);
}

} // namespace

Pruned shownOf(Pruned pruned, const PruneMeasure& measured)
{
    if (!measured.isCertain)
        return pruned;
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    pruned.baselineCi95 = {};
    for (PairedDifference& difference : pruned.differences)
    {
        difference.ci95 = {};
        difference.p = kNaN;
        difference.q = kNaN;
    }
    pruned.validation = {};
    pruned.bestSize.reset();
    pruned.fewestUnits.reset();
    for (BestSubset& best : pruned.best)
        best.held.reset();
    return pruned;
}

Result<Pruned> runPruning(const commands::PruneCommand& command, const PruneMeasure& measured, const ModelInfo& model,
                          const CommonOptions& common, JobContext& job)
{
    const HeadSetMeasure& measure = *measured.measure;
    const auto start = Clock::now();
    const int threads = common.numThreads();
    const PruningUnit unit = unitOf(command);
    const PruningOrder order = orderOf(command);
    Pruned pruned;
    pruned.seed = common.seed;
    const std::vector<std::vector<std::int64_t>> nothing(1);
    const std::vector<bool> all(static_cast<std::size_t>(measure.heads()), true);
    HEADSCOPE_TRY(const auto whole, measure.flipped(all, nothing, threads, job));
    pruned.baseline = whole.front().value;
    HEADSCOPE_TRY(pruned.baselineCi95, intervalOfMask(measure, all, common.seed, threads, job));
    auto steps = order == PruningOrder::Single    ? withoutEach(measure, model, unit, threads, job)
                 : order == PruningOrder::Forward ? forwardSelection(measure, model, unit, threads, job)
                                                  : backwardElimination(measure, model, unit, threads, job);
    if (!steps)
        return std::move(steps).error();
    pruned.steps = std::move(*steps);
    if (!measured.isCertain)
        markFront(pruned.steps);
    if (order == PruningOrder::Single)
    {
        HEADSCOPE_TRY(pruned.differences, removalDifferences(measure, model, unit, common.seed, threads, job));
    }
    const HalvingOptions halves{.halvings = halvingsOf(command), .seed = common.seed};
    HEADSCOPE_TRY(pruned.validation, validateByHalves(measure, model, unit, order, halves, threads, job));
    if (command.search == "all")
    {
        auto best = bestSubsets(measure, model, unit, halves, threads, job);
        if (!best)
            return std::move(best).error().atPlace("--search");
        pruned.best = std::move(best->bySize);
        pruned.bestSize = best->best;
        pruned.fewestUnits = best->fewest;
    }
    dropFewQuantiles(measure.scored(), pruned);
    pruned.seconds = secondsSince(start);
    return pruned;
}

} // namespace headscope::cli
