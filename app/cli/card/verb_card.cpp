// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/card/card_booklet.h"
#include "app/cli/card/card_engine.h"
#include "app/cli/engine_process.h"
#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/commands/card/card_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/card/card_frame.h"
#include "app/results/card/card_maker.h"
#include "app/results/card/card_model_parts.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "model/base/file.h"
#include "model/data/figures/figure_paper.h"
#include "model/data/frame/frame_text.h"
#include "model/data/results/card/card_text.h"
#include "viz/export/card_figure.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

class CardVerb : public VerbOf<commands::CardCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        HEADSCOPE_CHECK(checkChoices(common));
        if (m_command.input.layer.empty())
            m_command.input.layer = m_command.all ? "all" : "last";
        HEADSCOPE_TRY(CacheInput input, openCacheInput(m_command.input, job));
        if (!m_command.all)
            HEADSCOPE_CHECK(oneLayerAndStage(input, "card"));
        CardOptions options;
        options.directions.ends = m_command.ends;
        options.seed = common.seed;
        HEADSCOPE_TRY(CardMaker maker,
                      CardMaker::create(std::move(input), m_command.input, options, common.numThreads(), job));
        if (!m_command.all) // before the model is run
            HEADSCOPE_CHECK(maker.check(maker.input().layers.front(), HeadIndex(head() - 1)));
        Answer answer;
        HEADSCOPE_TRY(const CardModelParts parts, partsOf(maker, common, answer, job));
        HEADSCOPE_TRY(const std::vector<HeadCard> cards, cardsOf(maker, parts, job));
        Provenance provenance("card", maker.input(), m_command.input);
        tell(provenance, common, {"head", "ends", "model", "run_documents", "ablate", "seed"});
        Frame table = cardsFrame(cards);
        if (!m_command.sort.empty())
            if (auto done = sortFrame(table, m_command.sort); !done)
                return std::move(done).error().atPlace("--sort");
        return m_command.all ? booklet(cards, std::move(table), provenance, common, std::move(answer), job)
                             : single(cards.front(), maker, table, provenance, common, std::move(answer), job);
    }

private:
    [[nodiscard]] Status checkChoices(const CommonOptions& common) const
    {
        if (m_command.all && m_command.head != 0)
            return wrongUse("--head", "expected --head or --all, found both");
        if (m_command.all && m_command.output.empty())
            return wrongUse("-o", "expected a folder for the cards of --all, found none");
        if (!m_command.all && (!m_command.sort.empty() || m_command.format != "pdf"))
            return wrongUse(m_command.sort.empty() ? "--format" : "--sort", "this option needs --all");
        if (m_command.model.empty() &&
            (m_command.ablate || m_command.runDocuments != commands::CardCommand().runDocuments))
            return wrongUse(m_command.ablate ? "--ablate" : "--run-documents", "this option needs --model");
        HEADSCOPE_CHECK(checkFigure());
        if (m_command.all)
            return checkBooklet(m_command.output, common);
        if (!viz::figureFormat(m_command.output))
            HEADSCOPE_CHECK(checkTableOutput(m_command.output, common, OutputKinds::TablesAndFigures));
        return FigureFiles::check(m_command.output, m_command.figure, common, figureRecipe(common).inputs);
    }

    /// Options of one figure are none of a folder of cards, and a card has no room in a column.
    [[nodiscard]] Status checkFigure() const
    {
        const commands::FigureChoices& typed = m_command.figure;
        for (const auto& [option, isTyped] :
             {std::pair("--recipe", typed.recipe), std::pair("--also", !typed.also.empty()),
              std::pair("--annotate", !typed.annotate.empty()), std::pair("--caption", !typed.caption.empty())})
            if (isTyped && m_command.all)
                return wrongUse(option, "this option needs one head and cannot be used with --all");
        constexpr double kLeastMm = 140; // of a page with two columns and its strips
        if (const FigurePreset* place = findPreset(typed.preset); place != nullptr && place->widthMm < kLeastMm)
            return wrongUse(
                "--preset",
                fmt::format("a card is a page: expected a preset of {:.0f} mm or wider, found \"{}\" of {:.0f} "
                            "mm. Without a preset it is A4",
                            kLeastMm, place->name, place->widthMm));
        return {};
    }

    [[nodiscard]] std::int64_t head() const { return m_command.head == 0 ? 1 : m_command.head; }

    /// What runs of the model say: of this command, and of earlier ones.
    [[nodiscard]] Result<CardModelParts> partsOf(const CardMaker& maker, const CommonOptions& common, Answer& answer,
                                                 JobContext& job) const
    {
        CardModelParts parts(maker.input().model());
        if (!m_command.model.empty())
        {
            const CardRuns runs{.engine = enginePath(),
                                .model = m_command.model,
                                .layers = m_command.all ? maker.layers() : maker.input().layers,
                                .heads = m_command.all ? std::string() : std::to_string(head()),
                                .label = usedLabel(maker.input(), m_command.input.label),
                                .documents = m_command.runDocuments,
                                .seed = common.seed,
                                .threads = common.numThreads(),
                                .ablate = m_command.ablate};
            HEADSCOPE_TRY(parts, runModelForCards(maker.input(), runs, job));
        }
        for (const std::string& file : m_command.importance)
        {
            HEADSCOPE_TRY(const std::string text, readTextFile(file));
            HEADSCOPE_CHECK(parts.takeImportance(text, file));
        }
        answer.notices = parts.notices();
        return parts;
    }

    [[nodiscard]] Result<std::vector<HeadCard>> cardsOf(CardMaker& maker, const CardModelParts& parts,
                                                        JobContext& job) const
    {
        // As it was typed or recorded, wherever it is now: the same card is made anywhere.
        const std::string model =
            m_command.model.empty() ? maker.input().model().path : recordedPath(m_command.model, m_recorded);
        std::vector<std::pair<LayerIndex, HeadIndex>> places;
        if (!m_command.all)
            places.emplace_back(maker.input().layers.front(), HeadIndex(head() - 1));
        else
        {
            HEADSCOPE_CHECK(maker.compareAll(job));
            for (const LayerIndex layer : maker.input().layers)
                for (std::int64_t each = 0; each < maker.input().model().heads; ++each)
                    places.emplace_back(layer, HeadIndex(each));
        }
        std::vector<HeadCard> cards;
        for (const auto& [layer, each] : places)
        {
            job.report("making cards", cards.size(), places.size(), "cards");
            JobContext inner(job.stopToken());
            HEADSCOPE_TRY(HeadCard card, maker.card(layer, each, inner));
            parts.addTo(card, model);
            cards.push_back(std::move(card));
        }
        return cards;
    }

    [[nodiscard]] Result<Answer> single(const HeadCard& card, const CardMaker& maker, const Frame& table,
                                        const Provenance& provenance, const CommonOptions& common, Answer answer,
                                        JobContext& job) const
    {
        Members result = cardMembers(card);
        provenance.addTo(result);
        result.emplace_back("output", textOrNull(m_command.output));
        *answer.json = nodeJson(result);
        answer.text = cardText(card);
        if (m_command.output.empty())
            return answer;
        const CsvTexts texts = csvTexts(m_command.plainCsv);
        if (!viz::figureFormat(m_command.output))
        {
            HEADSCOPE_CHECK(writeFrameFile(m_command.output, table, provenance, {}, texts));
            return answer;
        }
        HEADSCOPE_TRY(FigureFiles files,
                      FigureFiles::create(m_command.output, m_command.figure, common, figureRecipe(common), provenance,
                                          maker.input().cache.get(), job));
        HEADSCOPE_CHECK(files.draw(viz::figureOfCard(card)));
        HEADSCOPE_CHECK(files.finish(answer, [&](const std::filesystem::path& path) {
            return writeFrameFile(path, table, provenance, {}, texts);
        }));
        return answer;
    }

    [[nodiscard]] Result<Answer> booklet(const std::vector<HeadCard>& cards, Frame table, const Provenance& provenance,
                                         const CommonOptions& common, Answer answer, JobContext& job) const
    {
        HEADSCOPE_TRY(const WrittenCard highest, writeBooklet({.folder = m_command.output,
                                                               .format = m_command.format,
                                                               .figure = figureOptions(m_command.figure, common),
                                                               .texts = csvTexts(m_command.plainCsv)},
                                                              cards, table, provenance, job));
        Members result = {{"cards", table}};
        provenance.addTo(result);
        result.emplace_back("output", m_command.output);
        *answer.json = nodeJson(result);
        tellFaults(answer, highest.record, highest.file, m_command.figure.preset);
        answer.text = fmt::format("{} cards in {}: index.html and index.csv, and a .{} for each\n\n{}", cards.size(),
                                  m_command.output, m_command.format, frameText(table));
        return answer;
    }
};

} // namespace

std::unique_ptr<Verb> makeCardVerb()
{
    return std::make_unique<CardVerb>();
}

} // namespace headscope::cli
