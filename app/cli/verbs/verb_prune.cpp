// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"
#include "app/cli/retrieval_input.h"
#include "app/cli/verb.h"
#include "app/commands/prune_command.h"
#include "app/results/cache_input.h"
#include "app/results/provenance.h"
#include "app/results/result_table.h"
#include "app/results/text_table.h"
#include "model/analysis/heads/pruning.h"
#include "model/base/clock.h"
#include "model/base/output/output_file.h"
#include "model/data/key_sharing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace headscope::cli
{
namespace
{

constexpr double kTestShare = 0.2;

/// What is measured, with what it is made of.
struct Measured
{
    std::shared_ptr<const HeadVectors> vectors;
    std::unique_ptr<HeadSetMeasure> measure;
    std::string of; ///< "392 labelled documents", for the heading
    std::int64_t count = 0;
    std::string hash;
    std::vector<std::string> notices;
};

/// What an order of removing or adding gave, and what all heads together give.
struct Pruned
{
    double baseline = 0;
    std::vector<PruningStep> steps; ///< the starting point of a greedy order included
    double seconds = 0;
};

class PruneVerb : public VerbOf<commands::PruneCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(checkChoices(common));
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "prune"));
        auto measured = measure(input, common, job);
        if (!measured)
            return std::move(measured).error().inFile(m_command.input.cache);
        HEADSCOPE_TRY(const Pruned pruned, prune(*measured->measure, input.model(), common, job));
        return answerFor(pruned, *measured, input);
    }

private:
    [[nodiscard]] bool byGroups() const { return m_command.units == "groups"; }
    [[nodiscard]] bool adds() const { return m_command.order == "forward"; }
    [[nodiscard]] PruningUnit unit() const { return byGroups() ? PruningUnit::Groups : PruningUnit::Heads; }

    [[nodiscard]] Status checkChoices(const CommonOptions& common) const
    {
        HEADSCOPE_CHECK(m_command.input.check());
        const bool heads = !m_command.input.heads.empty() && m_command.input.heads != "all";
        if (heads || !m_command.input.mask.empty())
            return wrongUse(heads ? "--heads" : "--mask",
                            "expected all heads, as units are taken away from the whole, found a choice");
        const bool retrieval = m_command.measure == "retrieval";
        if (retrieval && m_command.relevant.empty() && m_command.queries.empty())
            return wrongUse("--relevant", "expected a file of relevant documents for this measure, found none");
        if (!retrieval && (!m_command.relevant.empty() || !m_command.queries.empty()))
            return wrongUse(m_command.relevant.empty() ? "--queries" : "--relevant",
                            fmt::format("expected --measure retrieval with it, found {}", m_command.measure));
        if (m_command.keep && m_command.saveMask.empty())
            return wrongUse("--keep", "expected --save-mask with it, found none");
        if (!m_command.saveMask.empty())
        {
            HEADSCOPE_CHECK(checkOutputPath(m_command.saveMask, common.overwrite));
            if (sameFile(m_command.saveMask, m_command.output))
                return wrongUse("--save-mask", "expected another file than -o, found the same");
        }
        return checkTableOutput(m_command.output, common);
    }

    [[nodiscard]] Status checkHeads(const CacheInput& input, const HeadVectors& vectors) const
    {
        if (vectors.heads() != input.model().heads)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected a stage of {} heads, found one kept uncut", input.model().heads),
                         m_command.input.cache, "--stage"};
        if (byGroups() && unitName(vectors.stage()) != "head")
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected stage 1 for KV groups, found stage {}, whose segments belong to none",
                                     stageName(vectors.stage())),
                         m_command.input.cache, "--units"};
        if (byGroups() && (input.model().kvHeads < 1 || input.model().heads % input.model().kvHeads != 0))
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected a number of key/value heads that divides {}, found {}",
                                     input.model().heads, input.model().kvHeads),
                         m_command.input.cache, "--units"};
        return {};
    }

    [[nodiscard]] Result<Measured> measure(const CacheInput& input, const CommonOptions& common, JobContext& job) const
    {
        if (m_command.measure == "retrieval")
            return measureRetrieval(input, common, job);
        return m_command.measure == "probe" ? measureProbe(input, common, job) : measureMatch(input, common, job);
    }

    [[nodiscard]] Result<Measured> measureMatch(const CacheInput& input, const CommonOptions& common,
                                                JobContext& job) const
    {
        HEADSCOPE_TRY(const TopicData data,
                      loadTopicData(input, m_command.input, input.layers.front(), input.stages.front(), job));
        HEADSCOPE_CHECK(checkHeads(input, *data.documents));
        std::int64_t k = 0;
        const std::string digits = m_command.measure.substr(std::string_view("match").size());
        std::from_chars(digits.data(), digits.data() + digits.size(), k);
        HEADSCOPE_TRY(HeadMatch match, HeadMatch::create(*data.documents, *data.topics.vectors, data.labels.codes, k,
                                                         common.numThreads(), job));
        Measured measured;
        measured.count = match.labelled();
        if (measured.count == 0)
            return noLabels(data.labels);
        measured.of = fmt::format("{} labelled documents, {} topics", withCommas(measured.count),
                                  data.topics.vectors->documents());
        measured.hash = hashOfVectors(std::array{data.documents.get(), data.topics.vectors.get()});
        measured.notices = data.notices;
        const auto more = topicNotices(data);
        measured.notices.insert(measured.notices.end(), more.begin(), more.end());
        measured.vectors = data.documents;
        measured.measure = std::make_unique<HeadMatch>(std::move(match));
        return measured;
    }

    [[nodiscard]] Error noLabels(const LabelColumn& labels) const
    {
        return {ErrorCode::InvalidArgument,
                fmt::format("expected documents with a label in column \"{}\", found none", labels.name),
                m_command.input.cache,
                {}};
    }

    [[nodiscard]] Result<Measured> measureProbe(const CacheInput& input, const CommonOptions& common,
                                                JobContext& job) const
    {
        HEADSCOPE_TRY(ChosenLabels chosen, loadLabels(input, m_command.input));
        Measured measured;
        HEADSCOPE_TRY(measured.vectors, input.cache->load(input.layers.front(), input.stages.front(), {}, job));
        HEADSCOPE_CHECK(checkHeads(input, *measured.vectors));
        HEADSCOPE_TRY(HeadTopicProbe probe,
                      HeadTopicProbe::create(*measured.vectors, chosen.labels.codes, kTestShare, common.seed));
        measured.count = probe.tested();
        measured.of =
            fmt::format("\"{}\" told from the heads one after another, C = 1, {} documents to train, {} to test",
                        chosen.labels.name, withCommas(probe.trained()), withCommas(probe.tested()));
        measured.hash = hashOfVectors(std::array{measured.vectors.get()});
        measured.notices = std::move(chosen.notices);
        const auto more = vectorNotices(*measured.vectors, input.rows);
        measured.notices.insert(measured.notices.end(), more.begin(), more.end());
        measured.measure = std::make_unique<HeadTopicProbe>(std::move(probe));
        return measured;
    }

    [[nodiscard]] Result<Measured> measureRetrieval(const CacheInput& input, const CommonOptions& common,
                                                    JobContext& job) const
    {
        HEADSCOPE_TRY(SearchVectors searched,
                      loadSearchVectors(*input.cache, input.layers.front(), input.stages.front(), job));
        HEADSCOPE_CHECK(checkHeads(input, *searched.heads));
        Queries queries;
        if (m_command.queries.empty())
            queries = {input.documents->ids, searched, -1, {}};
        else
        {
            HEADSCOPE_TRY(queries,
                          readQueries(m_command.queries, input.layers.front(), input.stages.front(), searched, job));
        }
        HEADSCOPE_TRY(const auto relevant, relevantRows(m_command.relevant, queries, *input.documents));
        // Relevant documents outside of --documents stay relevant and are never found.
        std::vector<std::int64_t> place(searched.heads->documents() > 0 ? input.documents->ids.size() : 0, -1);
        for (std::size_t at = 0; at < input.rows.size(); ++at)
            place[static_cast<std::size_t>(input.rows[at])] = static_cast<std::int64_t>(at);
        std::vector<RelevantQuery> asking;
        for (std::size_t query = 0; query < queries.ids.size(); ++query)
        {
            const auto wanted = relevant.find(queries.ids[query]);
            if (wanted == relevant.end())
                continue;
            RelevantQuery one{static_cast<std::int64_t>(query), m_command.queries.empty() ? place[query] : -1, {}};
            for (const std::int64_t row : wanted->second)
                one.relevant.push_back(place[static_cast<std::size_t>(row)]);
            asking.push_back(std::move(one));
        }
        Measured measured;
        measured.vectors = takeRows(searched.heads, input.rows);
        HEADSCOPE_TRY(HeadRetrieval retrieval,
                      HeadRetrieval::create(*measured.vectors, *queries.vectors.heads, std::move(asking), m_command.top,
                                            common.numThreads(), job));
        measured.count = retrieval.queries();
        measured.of = fmt::format("success ratio at {} of {} queries in {} documents", m_command.top,
                                  withCommas(measured.count), withCommas(measured.vectors->documents()));
        measured.hash = hashOfVectors(std::array{measured.vectors.get(), queries.vectors.heads.get()});
        measured.notices = vectorNotices(*searched.heads, input.rows);
        measured.measure = std::make_unique<HeadRetrieval>(std::move(retrieval));
        return measured;
    }

    [[nodiscard]] Result<Pruned> prune(const HeadSetMeasure& measure, const ModelInfo& model,
                                       const CommonOptions& common, JobContext& job) const
    {
        const auto start = Clock::now();
        Pruned pruned;
        const std::vector<std::vector<std::int64_t>> nothing(1);
        const std::vector<bool> all(static_cast<std::size_t>(measure.heads()), true);
        HEADSCOPE_TRY(const auto whole, measure.flipped(all, nothing, common.numThreads(), job));
        pruned.baseline = whole.front().value;
        auto steps = m_command.order == "single" ? withoutEach(measure, model, unit(), common.numThreads(), job)
                     : adds()                    ? forwardSelection(measure, model, unit(), common.numThreads(), job)
                              : backwardElimination(measure, model, unit(), common.numThreads(), job);
        if (!steps)
            return std::move(steps).error();
        pruned.steps = std::move(*steps);
        markFront(pruned.steps);
        pruned.seconds = secondsSince(start);
        return pruned;
    }

    /// How many units go from the mask, in the order they go, and the measure without them where an order
    /// says it.
    [[nodiscard]] Result<HeadMask> maskOf(const Pruned& pruned, const Measured& measured, const ModelInfo& model) const
    {
        const std::int64_t count = pruningUnits(*measured.measure, model, unit());
        if (m_command.keep && *m_command.keep > count)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected at most {} {}, found {}", count, m_command.units, *m_command.keep),
                         {},
                         "--keep"};
        const auto order = removalOrder(pruned.steps, adds());
        std::int64_t gone = 0;
        if (m_command.keep)
            gone = count - *m_command.keep;
        else
            for (const PruningStep& step : pruned.steps)
            {
                if (step.value < pruned.baseline || step.unit < 0)
                    continue;
                const auto at = &step - pruned.steps.data();
                const auto without = m_command.order == "single" ? gone + 1 : adds() ? count - at : at;
                gone = std::max<std::int64_t>(gone, without);
            }
        gone = std::min(gone, count - 1);
        HeadMask mask;
        mask.heads = model.heads;
        const std::int64_t size = byGroups() ? model.groupSize() : 1;
        for (std::int64_t head = 0; head < mask.heads; ++head)
            if (std::find(order.begin(), order.begin() + gone, head / size) == order.begin() + gone)
                mask.kept.push_back(head);
        mask.layer = measured.vectors->layer().value();
        mask.stage = stageName(measured.vectors->stage());
        mask.units = m_command.units;
        mask.measure = m_command.measure;
        mask.order = m_command.order;
        mask.inputHash = measured.hash;
        mask.baseline = pruned.baseline;
        return mask;
    }

    /// Writes the mask with the measure of the heads that stay, and says which they are.
    [[nodiscard]] Status saveMask(const Pruned& pruned, const Measured& measured, const ModelInfo& model,
                                  Answer& answer) const
    {
        HEADSCOPE_TRY(HeadMask mask, maskOf(pruned, measured, model));
        std::vector<bool> kept(static_cast<std::size_t>(mask.heads));
        for (const std::int64_t head : mask.kept)
            kept[static_cast<std::size_t>(head)] = true;
        JobContext unwatched;
        const std::vector<std::vector<std::int64_t>> nothing(1);
        HEADSCOPE_TRY(const auto scores, measured.measure->flipped(kept, nothing, 1, unwatched));
        mask.value = scores.front().value;
        HEADSCOPE_CHECK(writeHeadMask(m_command.saveMask, mask));
        Json heads = Json::array();
        for (const std::int64_t head : mask.kept)
            heads.push_back(head + 1);
        (*answer.json)["mask"] = {{"output", m_command.saveMask}, {"kept", std::move(heads)}, {"value", mask.value}};
        answer.text +=
            fmt::format("\nMask of {} of {} {}s ({:.4f}, all: {:.4f}) written to {}\n", mask.kept.size(), mask.heads,
                        unitName(measured.vectors->stage()), mask.value, mask.baseline, m_command.saveMask);
        return {};
    }

    [[nodiscard]] Result<Answer> answerFor(const Pruned& pruned, const Measured& measured,
                                           const CacheInput& input) const
    {
        const ModelInfo& model = input.model();
        const std::vector<std::string> header = {adds() ? "added" : "removed", "value",          "change",
                                                 "parameters saved",           "kv bytes saved", "front"};
        ResultTable table(header);
        ResultTable shown(header); // for people
        // A segment is a slice of the output: nothing of the model goes with it.
        const Stage stage = measured.vectors->stage();
        const bool heads = unitName(stage) == "head";
        Json steps = Json::array();
        for (const PruningStep& step : pruned.steps)
        {
            if (step.unit < 0)
                continue;
            const std::int64_t unit = step.unit + 1;
            const std::string front = step.onFront ? "yes" : "";
            table.add({unit, step.value, step.value - pruned.baseline, step.parametersSaved, step.kvBytesSaved, front});
            shown.add({unit, step.value, step.value - pruned.baseline,
                       heads ? ResultTable::Cell(step.parametersSaved) : ResultTable::Cell("-"),
                       heads && keepsCache(model) ? ResultTable::Cell(step.kvBytesSaved) : ResultTable::Cell("-"),
                       front});
            Json object = {{"removed", adds() ? Json() : Json(unit)}};
            if (adds())
                object["added"] = unit;
            object.update(Json{{"value", step.value},
                               {"parameters_saved", step.parametersSaved},
                               {"kv_bytes_saved", step.kvBytesSaved},
                               {"front", step.onFront}});
            steps.push_back(std::move(object));
        }
        Provenance provenance("prune", input, m_command.input);
        for (const auto& [name, value] :
             {std::pair("units", &m_command.units), std::pair("measure", &m_command.measure),
              std::pair("order", &m_command.order)})
            provenance.add(name, *value);
        provenance.add("baseline", pruned.baseline);
        if (m_command.measure == "retrieval")
            provenance.add("top", m_command.top);
        provenance.setInputHash(measured.hash);
        Answer answer;
        *answer.json = {{"units", m_command.units},    {"measure", m_command.measure},
                        {"order", m_command.order},    {"documents", measured.count},
                        {"baseline", pruned.baseline}, {"group_size", model.groupSize()},
                        {"seconds", pruned.seconds},   {"steps", std::move(steps)}};
        (*answer.json)["output"] = m_command.output.empty() ? Json() : Json(m_command.output);
        provenance.writeTo(*answer.json);
        answer.notices = measured.notices;
        answer.text = fmt::format("{}; {}; {} of all {}s: {:.4f}\n\n{}", headingOf(*measured.vectors), measured.of,
                                  m_command.measure, unitName(stage), pruned.baseline, shown.text());
        answer.text += savingsText(model, stage);
        if (!m_command.saveMask.empty())
            HEADSCOPE_CHECK(saveMask(pruned, measured, model, answer));
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(table.write(m_command.output, "prune", provenance, {}, csvTexts(m_command.plainCsv)));
        return answer;
    }

    /// What the columns of savings say, and what they cannot say of this stage.
    [[nodiscard]] std::string savingsText(const ModelInfo& model, Stage stage) const
    {
        if (unitName(stage) != "head")
            return "\nA segment is a slice of the output and no part of the model: without it nothing is saved.\n";
        if (!keepsCache(model))
            return "\nSaved in this layer: parameters of its attention; an encoder keeps no cache of keys and values. "
                   "Front: no other step saves as much at this value (Pareto curve).\n";
        std::string text = "\nSaved in this layer: parameters of its attention, bytes of the key/value cache per token "
                           "at 2 bytes a number. Front: no other step saves as much at this value (Pareto curve).\n";
        if (!byGroups() && keySharing(model) == KeySharing::Groups)
            text +=
                fmt::format("A single head saves no cache: {} heads share one key/value head.\n", model.groupSize());
        if (!byGroups() && keySharing(model) == KeySharing::One)
            text += "A single head saves no cache: all heads share the same keys and values.\n";
        return text;
    }
};

} // namespace

std::unique_ptr<Verb> makePruneVerb()
{
    return std::make_unique<PruneVerb>();
}

} // namespace headscope::cli
