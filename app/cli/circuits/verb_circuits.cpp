// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/commands/circuits/circuits_command.h"
#include "app/frames/frame_json.h"
#include "app/results/circuit_frame.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "model/data/frame/frame_text.h"
#include "model/data/input_digest.h"
#include "model/io/circuits/circuit_file.h"
#include "viz/export/circuits/circuit_figures.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <utility>

namespace headscope::cli
{
namespace
{

using viz::CircuitPicture;

constexpr std::array kPictureNames = {
    std::pair(CircuitPicture::Waterfall, "waterfall"), std::pair(CircuitPicture::Grid, "grid"),
    std::pair(CircuitPicture::Matrix, "matrix"), std::pair(CircuitPicture::Graph, "graph"),
    std::pair(CircuitPicture::Words, "words")};

class CircuitsVerb : public VerbOf<commands::CircuitsCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        const bool picture = viz::figureFormat(m_command.output).has_value();
        if (!picture)
            HEADSCOPE_CHECK(checkTableOutput(m_command.output, common, OutputKinds::TablesAndFigures));
        HEADSCOPE_CHECK(FigureFiles::check(m_command.output, m_command.figure, common, figureRecipe(common).inputs));
        HEADSCOPE_TRY(CircuitResult read, readCircuitFile(m_command.result, job));
        const auto result = std::make_shared<const CircuitResult>(std::move(read));
        HEADSCOPE_TRY(const viz::CircuitLook look, lookOf(*result));
        const Frame frame = circuitFrame(
            *result, {look.kind, static_cast<std::size_t>(m_command.top), m_command.layer, m_command.token});
        HEADSCOPE_TRY(const InputDigest digest, InputDigest::ofFile(m_command.result, job));
        Provenance provenance;
        provenance.add("verb", std::string("circuits"));
        provenance.add("result", std::filesystem::path(m_command.result).filename().string());
        tell(provenance, common, {"layer", "layers", "kind", "token"});
        provenance.setInputHash(digest.text());
        Answer answer;
        Members members = {{"model", result->model}, {"show", nameOf(look.picture)}};
        members.emplace_back(std::string(frame.about().key), frame);
        members.emplace_back("summary", viz::circuitSummary(result, look).toStdString());
        members.emplace_back("output", textOrNull(m_command.output));
        provenance.addTo(members);
        *answer.json = nodeJson(members);
        const std::string caption = viz::circuitCaption(*result, look).toStdString();
        answer.text = fmt::format("{}\n\n{}\n", caption, frameText(largestCircuitRows(frame, m_command.top)));
        if (picture)
        {
            HEADSCOPE_TRY(FigureFiles files, FigureFiles::create(m_command.output, m_command.figure, common,
                                                                 figureRecipe(common), provenance, nullptr, job));
            HEADSCOPE_CHECK(files.draw(viz::figureOfCircuit(result, look)));
            HEADSCOPE_CHECK(files.finish(answer, [&](const std::filesystem::path& path) {
                return writeFrameFile(path, frame, provenance, {}, csvTexts(m_command.plainCsv));
            }));
        }
        else if (!m_command.output.empty())
            HEADSCOPE_CHECK(writeFrameFile(m_command.output, frame, provenance, {}, csvTexts(m_command.plainCsv)));
        return answer;
    }

private:
    static std::string nameOf(CircuitPicture picture)
    {
        for (const auto& [each, name] : kPictureNames)
            if (each == picture)
                return name;
        return {};
    }

    [[nodiscard]] Result<viz::CircuitLook> lookOf(const CircuitResult& result) const
    {
        viz::CircuitLook look;
        look.picture = viz::firstPicture(result);
        for (const auto& [each, name] : kPictureNames)
            if (m_command.show == name)
                look.picture = each;
        if (!viz::isPictureOf(look.picture, result))
            return wrongUse("--show", fmt::format("expected a picture of what {} has, such as {}, found {}",
                                                  std::filesystem::path(m_command.result).filename().string(),
                                                  nameOf(viz::firstPicture(result)), m_command.show));
        look.layer = m_command.layer;
        look.layers = commands::layerPair(m_command.layers);
        for (const CompositionKind kind : kCompositionKinds)
            if (m_command.kind == compositionName(kind))
                look.kind = kind;
        look.top = static_cast<std::size_t>(m_command.top);
        look.token = m_command.token;
        look.centred = !m_command.raw;
        HEADSCOPE_CHECK(checkLayers(result, look));
        return look;
    }

    [[nodiscard]] Status checkLayers(const CircuitResult& result, const viz::CircuitLook& look) const
    {
        const std::int64_t layers = result.contributions() != nullptr ? result.contributions()->layers
                                    : result.composition() != nullptr ? result.composition()->layers
                                                                      : std::int64_t{0};
        const auto tooHigh = [layers](const char* option, std::int64_t layer) {
            return wrongUse(option, fmt::format("expected a layer from 0 to {}, found {}", layers - 1, layer));
        };
        if (layers > 0 && look.layer && *look.layer >= layers)
            return tooHigh("--layer", *look.layer);
        if (layers > 0 && look.layers && look.layers->second >= layers)
            return tooHigh("--layers", look.layers->second);
        if (look.kind && result.composition() != nullptr && result.composition()->of(*look.kind).empty())
            return wrongUse("--kind", "expected a kind that the file has, found another");
        if (const LensTables* lens = result.lens(); lens != nullptr && (look.layer || !look.token.empty()))
        {
            for (const LensWords& row : lens->rows)
                if ((!look.layer || row.layer == *look.layer) && (look.token.empty() || row.read == look.token))
                    return {};
            return wrongUse(look.layer ? "--layer" : "--token",
                            "expected a layer and a token that were decoded, found none");
        }
        return {};
    }
};

} // namespace

std::unique_ptr<Verb> makeCircuitsVerb()
{
    return std::make_unique<CircuitsVerb>();
}

} // namespace headscope::cli
