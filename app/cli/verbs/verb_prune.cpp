// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figure_files.h"
#include "app/cli/pictures/prune_picture.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/prune_answer.h"
#include "app/cli/verbs/prune_run.h"
#include "app/commands/prune_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "model/analysis/heads/pruning.h"
#include "model/base/output/output_file.h"
#include "model/data/results/prune_frame.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope::cli
{
namespace
{

class PruneVerb : public VerbOf<commands::PruneCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(checkChoices(common));
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "prune"));
        auto measured = pruneMeasure(m_command, input, common, job);
        if (!measured)
            return std::move(measured).error().inFile(m_command.input.cache);
        m_command.measure = measured->key;
        if (measured->isCertain && !m_command.saveMask.empty())
            return nothingToSelect(*measured);
        HEADSCOPE_TRY(const Pruned pruned, runPruning(m_command, *measured, input.model(), common, job));
        const Provenance provenance = provenanceOf(pruned, *measured, input, common);
        HEADSCOPE_TRY(Answer answer, answerFor(pruned, *measured, input, provenance));
        if (isPicture())
            HEADSCOPE_CHECK(
                writePicture(shownOf(pruned, *measured), *measured, input, provenance, common, answer, job));
        return answer;
    }

private:
    [[nodiscard]] bool adds() const { return m_command.order == "forward"; }
    [[nodiscard]] bool isPicture() const { return viz::figureFormat(m_command.output).has_value(); }

    [[nodiscard]] Status checkChoices(const CommonOptions& common) const
    {
        HEADSCOPE_CHECK(m_command.input.check());
        const bool heads = !m_command.input.heads.empty() && m_command.input.heads != "all";
        if (heads || !m_command.input.mask.empty())
            return wrongUse(heads ? "--heads" : "--mask",
                            "expected all heads (units are removed from all heads together), found a selection");
        const bool retrieval = m_command.measure == "retrieval";
        if (retrieval && m_command.relevant.empty() && m_command.queries.empty())
            return wrongUse("--relevant", "this measure needs a file of relevant documents");
        if (!retrieval && (!m_command.relevant.empty() || !m_command.queries.empty()))
            return wrongUse(m_command.relevant.empty() ? "--queries" : "--relevant",
                            fmt::format("this option needs --measure retrieval, found {}", m_command.measure));
        if (m_command.keep && m_command.saveMask.empty())
            return wrongUse("--keep", "this option needs --save-mask");
        if (!m_command.saveMask.empty())
        {
            HEADSCOPE_CHECK(checkOutputPath(m_command.saveMask, common.overwrite));
            if (sameFile(m_command.saveMask, m_command.output))
                return wrongUse("--save-mask", "this file is already the output file of -o");
        }
        if (!isPicture())
            HEADSCOPE_CHECK(checkTableOutput(m_command.output, common, OutputKinds::TablesAndFigures));
        return FigureFiles::check(m_command.output, m_command.figure, common, figureRecipe(common).inputs);
    }

    /// No mask is better than another.
    [[nodiscard]] Error nothingToSelect(const PruneMeasure& measured) const
    {
        return {
            ErrorCode::InvalidArgument,
            fmt::format("{} is the same whichever heads remain ({}), so no mask can be selected; another --measure or "
                        "--label may have one",
                        measured.name, measured.of),
            m_command.input.cache, "--save-mask"};
    }

    /// How many units go by the order: all but --keep, or the most without which the measure is as good.
    [[nodiscard]] std::int64_t goneByOrder(const Pruned& pruned, std::int64_t count) const
    {
        if (m_command.keep)
            return count - *m_command.keep;
        std::int64_t gone = 0;
        for (const PruningStep& step : pruned.steps)
        {
            if (step.value < pruned.baseline || step.unit < 0)
                continue;
            gone = std::max(gone, m_command.order == "single" ? gone + 1 : step.removed);
        }
        return std::min(gone, count - 1);
    }

    /// Units that stay: of the order, or the best subset of that size (of the smallest that is as good as all).
    [[nodiscard]] std::vector<std::int64_t> unitsThatStay(const Pruned& pruned, std::int64_t count) const
    {
        if (!pruned.best.empty())
        {
            const auto fits = [&](const BestSubset& best) {
                return m_command.keep ? std::ssize(best.units) == *m_command.keep : best.value >= pruned.baseline;
            };
            return std::find_if(pruned.best.begin(), pruned.best.end() - 1, fits)->units;
        }
        const auto order = removalOrder(pruned.steps, adds());
        const auto gone = order.begin() + goneByOrder(pruned, count);
        std::vector<std::int64_t> stay;
        for (std::int64_t one = 0; one < count; ++one)
            if (std::find(order.begin(), gone, one) == gone)
                stay.push_back(one);
        return stay;
    }

    [[nodiscard]] Result<HeadMask> maskOf(const Pruned& pruned, const PruneMeasure& measured,
                                          const ModelInfo& model) const
    {
        const std::int64_t count = pruningUnits(*measured.measure, model, unitOf(m_command));
        if (m_command.keep && *m_command.keep > count)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected at most {} {}, found {}", count, m_command.units, *m_command.keep),
                         {},
                         "--keep"};
        const auto stay = unitsThatStay(pruned, count);
        HeadMask mask;
        mask.heads = model.heads;
        const std::int64_t size = m_command.units == "groups" ? model.groupSize() : 1;
        for (std::int64_t head = 0; head < mask.heads; ++head)
            if (std::find(stay.begin(), stay.end(), head / size) != stay.end())
                mask.kept.push_back(head);
        mask.layer = measured.vectors->layer().value();
        mask.stage = stageName(measured.vectors->stage());
        mask.units = m_command.units;
        mask.measure = m_command.measure;
        mask.order = pruned.best.empty() ? m_command.order : "all";
        mask.inputHash = measured.hash;
        mask.baseline = pruned.baseline;
        return mask;
    }

    /// What masks chosen like this one gain on other documents; null: not known.
    [[nodiscard]] const HeldOutGain* heldOutOf(const Pruned& pruned, std::int64_t kept) const
    {
        const auto at = static_cast<std::size_t>(kept - 1);
        if (!pruned.best.empty())
            return !m_command.keep        ? (pruned.fewestUnits ? &*pruned.fewestUnits : nullptr)
                   : pruned.best[at].held ? &*pruned.best[at].held
                                          : nullptr;
        if (pruned.validation.isEmpty())
            return nullptr;
        return m_command.keep ? &pruned.validation.byKept[at] : &pruned.validation.fewest;
    }

    /// Writes the mask with the measure of the heads that stay, and says which they are.
    [[nodiscard]] Status saveMask(const Pruned& pruned, const PruneMeasure& measured, const ModelInfo& model,
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
        const std::int64_t size = m_command.units == "groups" ? model.groupSize() : 1;
        const HeldOutGain* held = heldOutOf(pruned, (std::ssize(mask.kept) + size - 1) / size);
        if (held != nullptr)
            mask.validated =
                MaskGain{held->kept, held->chosen, held->elsewhere, held->elsewhereCi95, halvingsOf(m_command)};
        HEADSCOPE_CHECK(writeHeadMask(m_command.saveMask, mask));
        Json heads = Json::array();
        for (const std::int64_t head : mask.kept)
            heads.push_back(head + 1);
        (*answer.json)["mask"] = {{"output", m_command.saveMask}, {"kept", std::move(heads)}, {"value", mask.value}};
        if (held != nullptr)
            (*answer.json)["mask"]["validated"] = nodeJson(heldOutResult(*held));
        const bool chosen = std::ssize(mask.kept) < mask.heads;
        answer.text += fmt::format("\nMask of {} of {} {}s ({:.4f}{}, all: {:.4f}) written to {}\n", mask.kept.size(),
                                   mask.heads, unitName(measured.vectors->stage()), mask.value,
                                   chosen ? ", optimistically biased: selected on these documents" : "", mask.baseline,
                                   m_command.saveMask);
        if (held != nullptr)
            answer.text += fmt::format("A mask selected in the same way gains {}.\n", heldOutText(*held));
        return {};
    }

    [[nodiscard]] Provenance provenanceOf(const Pruned& pruned, const PruneMeasure& measured, const CacheInput& input,
                                          const CommonOptions& common) const
    {
        Provenance provenance("prune", input, m_command.input);
        if (m_command.measure != "retrieval")
            provenance.setLabel(usedLabel(input, m_command.input.label));
        tell(provenance, common, {"units", "measure", "order", "search", "validate"});
        provenance.add("baseline", pruned.baseline);
        provenance.add("seed", wholeRecord(pruned.seed));
        if (m_command.measure == "retrieval")
            tell(provenance, common, {"top"});
        provenance.setInputHash(measured.hash);
        return provenance;
    }

    [[nodiscard]] Result<Answer> answerFor(const Pruned& pruned, const PruneMeasure& measured, const CacheInput& input,
                                           const Provenance& provenance) const
    {
        Answer answer = pruneAnswer(pruned, measured, m_command, input.model());
        (*answer.json)["output"] = textJson(m_command.output);
        provenance.writeTo(*answer.json);
        if (!m_command.saveMask.empty())
            HEADSCOPE_CHECK(saveMask(pruned, measured, input.model(), answer));
        if (!m_command.output.empty() && !isPicture())
            HEADSCOPE_CHECK(writeFrameFile(m_command.output, pruneFrame(shownOf(pruned, measured), adds()), provenance,
                                           {}, csvTexts(m_command.plainCsv)));
        return answer;
    }

    [[nodiscard]] Status writePicture(const Pruned& pruned, const PruneMeasure& measured, const CacheInput& input,
                                      const Provenance& provenance, const CommonOptions& common, Answer& answer,
                                      JobContext& job) const
    {
        HEADSCOPE_TRY(FigureFiles files, FigureFiles::create(m_command.output, m_command.figure, common,
                                                             figureRecipe(common), provenance, input.cache.get(), job));
        HEADSCOPE_CHECK(
            files.draw(viz::figureOfPruning(pruningFigure(pruned, measured, m_command, input.model()), input.model())));
        return files.finish(answer, [&](const std::filesystem::path& path) {
            return writeFrameFile(path, pruneFrame(pruned, adds()), provenance, {}, csvTexts(m_command.plainCsv));
        });
    }
};

} // namespace

std::unique_ptr<Verb> makePruneVerb()
{
    return std::make_unique<PruneVerb>();
}

} // namespace headscope::cli
