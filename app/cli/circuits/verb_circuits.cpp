// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/commands/circuits/circuits_command.h"
#include "app/frames/frame_json.h"
#include "app/results/circuit_frame.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "model/data/frame/frame_text.h"
#include "model/data/head_ranges.h"
#include "model/data/input_digest.h"
#include "model/io/circuits/circuit_file.h"
#include "viz/export/circuits/circuit_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

using viz::CircuitPicture;

constexpr std::size_t kMostTokens = 8; ///< that an error lists

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
            return wrongUse(
                "--show", fmt::format("expected what the file has ({}), found {}", picturesOf(result), m_command.show));
        HEADSCOPE_CHECK(checkApplies(look.picture, result));
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

    static std::string picturesOf(const CircuitResult& result)
    {
        std::vector<std::string_view> names;
        for (const auto& [each, name] : kPictureNames)
            if (viz::isPictureOf(each, result))
                names.emplace_back(name);
        return fmt::format("{}", fmt::join(names, ", "));
    }

    /// Refuses options that change nothing of what is shown.
    [[nodiscard]] Status checkApplies(CircuitPicture shown, const CircuitResult& result) const
    {
        struct Choice
        {
            const char* option;
            bool isTyped;
            std::vector<CircuitPicture> of;
        };
        const Choice choices[] = {
            {"--layer", m_command.layer.has_value(), {CircuitPicture::Waterfall, CircuitPicture::Words}},
            {"--layers", !m_command.layers.empty(), {CircuitPicture::Matrix}},
            {"--kind",
             m_command.kind != commands::CircuitsCommand().kind,
             {CircuitPicture::Matrix, CircuitPicture::Graph}},
            {"--token", !m_command.token.empty(), {CircuitPicture::Words}},
            {"--raw", m_command.raw, {CircuitPicture::Grid}}};
        for (const auto& [option, isTyped, of] : choices)
        {
            if (!isTyped || std::ranges::find(of, shown) != of.end())
                continue;
            std::vector<std::string> names;
            std::ranges::transform(of, std::back_inserter(names), nameOf);
            return wrongUse(
                option, fmt::format("this option needs --show {}, found {}", fmt::join(names, " or "), nameOf(shown)));
        }
        if (!m_command.token.empty() && !result.lens()->weights)
            return wrongUse("--token", "this option needs a file of lens --weights, found one of documents");
        return {};
    }

    [[nodiscard]] static Status checkLayers(const CircuitResult& result, const viz::CircuitLook& look)
    {
        if (result.lens() != nullptr)
            return checkWords(*result.lens(), look);
        const std::int64_t layers =
            result.contributions() != nullptr ? result.contributions()->layers : result.composition()->layers;
        const auto tooHigh = [layers](const char* option, std::int64_t layer) {
            return wrongUse(option, fmt::format("expected a layer from 0 to {}, found {}", layers - 1, layer));
        };
        if (look.layer && *look.layer >= layers)
            return tooHigh("--layer", *look.layer);
        if (look.layers && look.layers->second >= layers)
            return tooHigh("--layers", look.layers->second);
        return look.kind ? checkKind(*result.composition(), *look.kind) : Status();
    }

    [[nodiscard]] static Status checkKind(const CompositionScores& scores, CompositionKind wanted)
    {
        std::vector<std::string_view> has;
        for (const CompositionKind kind : kCompositionKinds)
            if (!scores.of(kind).empty())
                has.push_back(compositionName(kind));
        return scores.of(wanted).empty()
                   ? wrongUse("--kind", fmt::format("expected a kind that the file has ({}), found {}",
                                                    fmt::join(has, ", "), compositionName(wanted)))
                   : Status();
    }

    [[nodiscard]] static Status checkWords(const LensTables& lens, const viz::CircuitLook& look)
    {
        std::vector<std::int64_t> layers;
        std::vector<std::string> tokens;
        for (const LensWords& row : lens.rows)
        {
            if (std::ranges::find(layers, row.layer) == layers.end())
                layers.push_back(row.layer);
            if (std::ranges::find(tokens, row.read) == tokens.end())
                tokens.push_back(row.read);
        }
        std::ranges::sort(layers);
        if (look.layer && !std::ranges::binary_search(layers, *look.layer))
            return wrongUse("--layer", fmt::format("expected a layer that the file has ({}), found {}",
                                                   formatRanges(layers), *look.layer));
        if (look.token.empty() || std::ranges::find(tokens, look.token) != tokens.end())
            return {};
        const std::size_t more = tokens.size() - std::min(tokens.size(), kMostTokens);
        tokens.resize(tokens.size() - more);
        return wrongUse("--token",
                        fmt::format("expected a token that the file has (\"{}\"{}), found \"{}\"",
                                    fmt::join(tokens, "\", \""),
                                    more > 0 ? fmt::format(" and {} more", more) : std::string(), look.token));
    }
};

} // namespace

std::unique_ptr<Verb> makeCircuitsVerb()
{
    return std::make_unique<CircuitsVerb>();
}

} // namespace headscope::cli
