// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation/evaluated_vectors.h"
#include "app/cli/evaluation/evaluation_gaps.h"
#include "app/cli/evaluation/evaluation_input.h"
#include "app/cli/evaluation/other_vectors.h"
#include "app/cli/evaluation/vote_rankings.h"
#include "app/cli/retrieval_input.h"
#include "app/cli/verb.h"
#include "app/commands/measures/evaluate_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/frame_output.h"
#include "app/results/measures/evaluation_frame.h"
#include "app/results/provenance.h"
#include "model/analysis/evaluation/evaluation.h"
#include "model/base/text/plural.h"
#include "model/data/key_sharing.h"
#include "model/data/model_digests.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace headscope::cli
{
namespace
{

/// A part of the vectors: heads one after another.
struct UnitRange
{
    std::string name;
    std::int64_t first = 0; ///< head
    std::int64_t count = 1; ///< heads
};

ConstMatrixView viewOf(const HeadVectors& vectors, const UnitRange& unit)
{
    const std::int64_t stride = vectors.heads() * vectors.dims();
    return {vectors.values().data() + unit.first * vectors.dims(), vectors.documents(), unit.count * vectors.dims(),
            stride};
}

class EvaluateVerb : public VerbOf<commands::EvaluateCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        HEADSCOPE_CHECK(checkTableOutput(m_command.output, common));
        if (!m_command.queries.empty() && m_command.qrels.empty())
            return wrongUse("--queries", "this option needs --qrels");
        if (m_command.takes("votes") && m_command.qrels.empty())
            return wrongUse("--of", "votes need --qrels");
        if (!m_command.queries.empty() && !m_command.others.empty())
            return wrongUse("--others", "this option cannot be used with --queries");
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        Answer answer;
        HEADSCOPE_CHECK(readTasks(input, answer, common, job));
        m_threads = common.numThreads();
        Evaluation evaluation({m_command.bootstrap, common.seed}, common.numThreads());
        HEADSCOPE_CHECK(addAll(input, evaluation, job));
        HEADSCOPE_TRY(const std::vector<EvaluatedUnit> units, evaluation.finish(job));
        auto table = evaluationFrame(units, m_command.sort);
        if (!table)
            return std::move(table).error().atPlace("--sort");
        Provenance provenance("evaluate", input, m_command.input);
        if (m_labels)
            provenance.setLabel(m_labels->name);
        tell(provenance, common, {"qrels", "queries", "k", "pairs", "of", "others", "bootstrap", "seed"});
        provenance.add("full", m_notes.full);
        provenance.setInputHash(fmt::format("{}", fmt::join(m_hashes, " ")));
        answer.notices.insert(answer.notices.end(), m_gaps.heads.begin(), m_gaps.heads.end());
        Members result = {{"results", *table},
                          {"full", m_notes.full},
                          {"documents", m_notes.documents - m_notes.leftOut},
                          {"left_out", m_gaps.members(m_judged, m_pairs)}};
        if (m_labels)
        {
            result.emplace_back("label", m_labels->name);
            result.emplace_back("labels", m_notes.labels);
            result.emplace_back("majority", m_notes.majority);
        }
        provenance.addTo(result);
        result.emplace_back("output", textOrNull(m_command.output));
        *answer.json = nodeJson(result);
        answer.text = evaluationText(*table, m_notes);
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(writeFrameFile(m_command.output, *table, provenance, {}, csvTexts(m_command.plainCsv)));
        return answer;
    }

private:
    /// Reads what the vectors are held against.
    [[nodiscard]] Status readTasks(const CacheInput& input, Answer& answer, const CommonOptions& common,
                                   JobContext& job)
    {
        std::vector<std::string> documents;
        for (const std::int64_t row : input.rows)
            documents.push_back(input.documents->ids[static_cast<std::size_t>(row)]);
        m_notes.k = m_command.k;
        m_notes.resamples = m_command.bootstrap;
        if (!m_command.qrels.empty())
            HEADSCOPE_CHECK(readRetrieval(input, documents, answer, job));
        if (!m_command.pairs.empty())
        {
            HEADSCOPE_TRY(ReadPairs pairs, readPairs(m_command.pairs, documents));
            if (pairs.unknown > 0)
                answer.notices.push_back(
                    pairs.unknown == 1
                        ? std::string("excluded 1 pair, because it names documents that are not measured")
                        : fmt::format("excluded {} pairs, because they name documents that are not measured",
                                      pairs.unknown));
            m_pairs = std::move(pairs);
        }
        if (m_judged)
            m_asking.rows = m_judged->asking;
        HEADSCOPE_CHECK(m_vectors.open(input, m_asking, m_command.input.stage, job));
        m_notes.full = m_vectors.fullSource();
        HEADSCOPE_CHECK(readOthers(input, documents, answer, job));
        HEADSCOPE_CHECK(leaveOut(input, documents, answer, job));
        if (!m_command.input.label.empty() || (!m_judged && !m_pairs))
            HEADSCOPE_CHECK(readLabels(input, answer, common));
        return {};
    }

    /// Leaves documents and queries without a direction out of every task, and says which.
    [[nodiscard]] Status leaveOut(const CacheInput& input, const std::vector<std::string>& documents, Answer& answer,
                                  JobContext& job)
    {
        HEADSCOPE_TRY(const Measurable found, m_vectors.readAhead(input, m_others, job));
        HEADSCOPE_TRY(auto asking, m_gaps.leaveOut(found, documents, m_queryIds, m_judged, m_pairs, m_command.qrels,
                                                   m_command.pairs));
        if (m_judged)
            m_judged->task.findable = m_gaps.measured;
        m_notes.documents = std::ssize(documents);
        m_notes.leftOut = m_gaps.documents.count();
        if (m_notes.leftOut + m_gaps.queries.count() > 0)
            m_vectors.leaveOut(m_gaps.measured, std::move(asking));
        const auto more = m_gaps.notices(m_judged, m_pairs);
        answer.notices.insert(answer.notices.end(), more.begin(), more.end());
        return {};
    }

    [[nodiscard]] Status readOthers(const CacheInput& input, const std::vector<std::string>& ids, Answer& answer,
                                    JobContext& job)
    {
        const auto [layer, stage] = m_vectors.places().back();
        for (const std::string& path : m_command.others)
        {
            HEADSCOPE_TRY(OtherVectors other, readOtherVectors(path, layer, stage, ids, job));
            if (other.source != m_notes.full)
                answer.notices.push_back(
                    fmt::format("{} is {}, and the reference is {}", other.unit, other.source, m_notes.full));
            if (other.model.changes != input.model().changes)
                answer.notices.push_back(fmt::format("{} is of {}, and the cache is of {}", other.unit,
                                                     changedModelName(other.model), changedModelName(input.model())));
            m_others.push_back(std::move(other));
        }
        return {};
    }

    [[nodiscard]] Status readRetrieval(const CacheInput& input, const std::vector<std::string>& documents,
                                       Answer& answer, JobContext& job)
    {
        m_queryIds = documents;
        if (!m_command.queries.empty())
        {
            HEADSCOPE_TRY(m_asking.cache, CacheReader::open(m_command.queries, job, CachePart::Queries));
            HEADSCOPE_TRY(const auto asking, m_asking.cache->documents(job));
            m_queryIds = asking->ids;
            if (std::string notice = otherModelNotice(input.model(), m_asking.cache->info().header.model, "queries");
                !notice.empty())
                answer.notices.push_back(std::move(notice));
        }
        HEADSCOPE_TRY(m_judged, readQrels(m_command.qrels, m_queryIds, documents, !m_asking.cache));
        m_judged->task.k = m_command.k;
        if (!m_asking.cache)
            answer.notices.emplace_back("the queries are the searched documents: intervals treat the searched "
                                        "documents as fixed and are therefore too narrow");
        const auto count = [&answer](std::int64_t number, std::string_view one, std::string_view several) {
            if (number > 0)
                answer.notices.push_back(fmt::format("{} {}", number, number == 1 ? one : several));
        };
        count(m_judged->unknownQueries, "judged query is not among the queries and is excluded",
              "judged queries are not among the queries and are excluded");
        if (m_asking.cache)
            count(m_judged->unjudged, "query has no relevant documents and is excluded",
                  "queries have no relevant documents and are excluded");
        count(
            m_judged->unknownDocuments,
            "judgement names a document that is not measured: its grade counts, but no ranking can find this document",
            "judgements name documents that are not measured: their grades count, but no ranking can find these "
            "documents");
        return {};
    }

    [[nodiscard]] Status readLabels(const CacheInput& input, Answer& answer, const CommonOptions& common)
    {
        HEADSCOPE_TRY(const ChosenLabels chosen, loadLabels(input, m_command.input));
        answer.notices.insert(answer.notices.end(), chosen.notices.begin(), chosen.notices.end());
        std::vector<std::int32_t> codes;
        for (const std::int64_t row : input.rows)
            codes.push_back(chosen.labels.codes[static_cast<std::size_t>(row)]);
        m_labels = NamedLabels{chosen.labels.name, labelTask(codes, m_gaps.measured, common.seed)};
        const LabelTask& task = m_labels->task;
        if (task.numLabels < 2 || task.train.empty())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected documents with at least 2 different labels, found {} documents (number "
                                     "of labels: {})",
                                     task.documents.size(), task.numLabels),
                         input.cache->path().string(), "--label"};
        m_notes.labels = task.numLabels;
        m_notes.majority = task.majority;
        return {};
    }

    [[nodiscard]] Status addAll(const CacheInput& input, Evaluation& evaluation, JobContext& job)
    {
        JobContext inner(job.stopToken());
        if (m_command.takes("full"))
        {
            EvaluatedUnit unit;
            unit.layer = m_vectors.full().documents->layer();
            unit.stage = m_vectors.full().documents->stage();
            unit.isReference = true;
            HEADSCOPE_CHECK(
                add(evaluation, unit, m_vectors.full(), {"full", 0, m_vectors.full().documents->heads()}, inner));
        }
        for (const OtherVectors& other : m_others)
        {
            EvaluatedUnit unit;
            unit.layer = other.documents->layer();
            unit.stage = other.documents->stage();
            HEADSCOPE_TRY(const PlaceVectors place, m_vectors.chosen(other.documents, nullptr));
            HEADSCOPE_CHECK(add(evaluation, unit, place, {other.unit, 0, other.documents->heads()}, inner));
        }
        for (std::size_t at = 0; at < m_vectors.places().size(); ++at)
        {
            job.report("evaluating", at, m_vectors.places().size(), "stages");
            const auto [layer, stage] = m_vectors.places()[at];
            HEADSCOPE_TRY(const PlaceVectors place, m_vectors.take(input, at, inner));
            m_hashes.push_back(hashOfVectors(std::array{place.documents.get()}));
            HEADSCOPE_TRY(const auto heads, input.headsOf(*place.documents, m_command.input.heads));
            if (m_judged || m_pairs)
                m_gaps.note(place, heads);
            EvaluatedUnit unit;
            unit.layer = layer;
            unit.stage = stage;
            for (const UnitRange& range : unitsOf(input.model(), *place.documents, heads))
                HEADSCOPE_CHECK(add(evaluation, unit, place, range, inner));
            HEADSCOPE_CHECK(addSelected(evaluation, unit, place, heads, inner));
            HEADSCOPE_CHECK(addVotes(evaluation, unit, place, heads, inner));
        }
        return {};
    }

    /// The selected heads one after another, where they are some of a layer's: what a mask keeps.
    [[nodiscard]] Status addSelected(Evaluation& evaluation, const EvaluatedUnit& unit, const PlaceVectors& place,
                                     const std::vector<std::int64_t>& heads, JobContext& job) const
    {
        if (!m_command.takes("layers") || std::ssize(heads) < 2 || std::ssize(heads) == place.documents->heads())
            return {};
        const PlaceVectors some{takeHeads(place.documents, heads),
                                place.queries ? takeHeads(place.queries, heads) : nullptr};
        return add(evaluation, unit, some,
                   {fmt::format("{} {}s", heads.size(), unitName(place.documents->stage())), 0, std::ssize(heads)},
                   job);
    }

    [[nodiscard]] Status addVotes(Evaluation& evaluation, EvaluatedUnit unit, const PlaceVectors& place,
                                  const std::vector<std::int64_t>& heads, JobContext& job) const
    {
        if (!m_command.takes("votes") || place.documents->heads() < 2)
            return {};
        HEADSCOPE_TRY(const auto rankings, voteRankings(*place.documents, *place.queries, m_judged->task.own,
                                                        m_command.k, heads, m_threads, job));
        for (const auto& [strategy, ranking] : rankings)
        {
            unit.unit = fmt::format("votes {}", votingName(strategy));
            evaluation.addRankings(unit, ranking, m_judged->task, place.documents->documents());
        }
        return {};
    }

    /// Which parts of a place are evaluated: groups and the layer where all their heads are chosen.
    [[nodiscard]] std::vector<UnitRange> unitsOf(const ModelInfo& model, const HeadVectors& vectors,
                                                 const std::vector<std::int64_t>& heads) const
    {
        std::vector<UnitRange> units;
        if (m_command.takes("layers") && std::ssize(heads) == vectors.heads())
            units.push_back({"layer", 0, vectors.heads()});
        const std::int64_t size = model.groupSize();
        if (m_command.takes("groups") && vectors.heads() == model.heads && hasKvGroups(model, vectors.stage()))
            for (std::int64_t first = 0; first < vectors.heads(); first += size)
                if (std::binary_search(heads.begin(), heads.end(), first) &&
                    std::ranges::count_if(heads, [&](std::int64_t head) { return head / size == first / size; }) ==
                        size)
                    units.push_back({fmt::format("group {}", first / size + 1), first, size});
        if (m_command.takes("heads") && vectors.heads() > 1)
            for (const std::int64_t head : heads)
                units.push_back({fmt::format("{} {}", unitName(vectors.stage()), head + 1), head, 1});
        return units;
    }

    [[nodiscard]] Status add(Evaluation& evaluation, EvaluatedUnit unit, const PlaceVectors& place,
                             const UnitRange& range, JobContext& job) const
    {
        unit.unit = range.name;
        const ConstMatrixView documents = viewOf(*place.documents, range);
        if (m_judged)
            HEADSCOPE_CHECK(
                evaluation.addRetrieval(unit, documents, viewOf(*place.queries, range), m_judged->task, job));
        if (m_pairs)
            HEADSCOPE_CHECK(evaluation.addSimilarity(unit, documents, m_pairs->task, job));
        if (m_labels)
            HEADSCOPE_CHECK(evaluation.addLabels(unit, documents, m_labels->task, job));
        return {};
    }

    struct NamedLabels
    {
        std::string name;
        LabelTask task;
    };

    Asking m_asking;
    EvaluatedVectors m_vectors;
    std::optional<JudgedQueries> m_judged;
    std::optional<ReadPairs> m_pairs;
    std::optional<NamedLabels> m_labels;
    EvaluationNotes m_notes;
    std::vector<OtherVectors> m_others;
    std::vector<std::string> m_queryIds; ///< of all that may ask
    EvaluationGaps m_gaps;
    int m_threads = 1;
    std::vector<std::string> m_hashes;
};

} // namespace

std::unique_ptr<Verb> makeEvaluateVerb()
{
    return std::make_unique<EvaluateVerb>();
}

} // namespace headscope::cli
