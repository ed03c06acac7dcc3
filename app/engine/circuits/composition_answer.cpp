// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/composition_answer.h"

#include "app/frames/frame_json.h"
#include "model/base/output/output_file.h"
#include "model/base/text/csv_text.h"
#include "model/data/circuits/composition_frame.h"
#include "model/data/frame/frame_text.h"
#include "model/io/circuits/circuit_file.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <span>

namespace headscope::engine
{
namespace
{

Members resultOf(const CompositionFindings& found)
{
    NodeList kinds;
    for (const CompositionKind kind : kCompositionKinds)
        if (!found.scores.of(kind).empty())
            kinds.emplace_back(compositionName(kind));
    return {{"model", found.model},
            {"sha256", Members(found.hashes.begin(), found.hashes.end())},
            {"layers", found.scores.layers},
            {"heads", found.scores.heads},
            {"kinds", std::move(kinds)},
            {"baseline", found.scores.baseline},
            {"subtracted", found.subtracted},
            {"norms", found.carried ? "carried through the norms in between" : "gains folded in"},
            {"strongest", edgesFrame(found.strongest)},
            {"seconds", found.seconds}};
}

Status writeNumbers(Hdf5Writer& file, const std::string& name, std::vector<std::int64_t> shape,
                    std::span<const double> values)
{
    return file.write("/composition/" + name, shape, NumberType::F64, std::as_bytes(values));
}

Status writeHdf5(const std::filesystem::path& path, const CompositionFindings& found, const std::string& command)
{
    HEADSCOPE_TRY(auto file, Hdf5Writer::create(path));
    const CompositionScores& scores = found.scores;
    for (const CompositionKind kind : kCompositionKinds)
        if (!scores.of(kind).empty())
            HEADSCOPE_CHECK(writeNumbers(file, std::string(compositionName(kind)),
                                         {scores.layers, scores.heads, scores.layers, scores.heads}, scores.of(kind)));
    HEADSCOPE_CHECK(writeNumbers(file, "baseline", {1}, std::span(&scores.baseline, 1)));
    const std::vector<std::int64_t> singular = {scores.layers, scores.heads, scores.headDim};
    HEADSCOPE_CHECK(writeNumbers(file, "ov_singular", singular, scores.ovSingular));
    HEADSCOPE_CHECK(writeNumbers(file, "qk_singular", singular, scores.qkSingular));
    const std::vector<std::int64_t> directions = {scores.layers, scores.heads, scores.directions, scores.modelDim};
    for (const auto& [name, values] : {std::pair("ov_write", &scores.ovWrite), std::pair("ov_read", &scores.ovRead)})
        HEADSCOPE_CHECK(file.write(std::string("/composition/") + name, directions, NumberType::F32,
                                   std::as_bytes(std::span<const float>(*values))));
    for (const CompositionKind kind : kCompositionKinds)
        if (!scores.of(kind).empty())
            HEADSCOPE_CHECK(writeNumbers(file, "component_" + std::string(compositionName(kind)),
                                         {scores.layers, scores.heads, scores.directions, scores.layers, scores.heads},
                                         scores.components[static_cast<std::size_t>(kind)]));
    for (const CompositionKind kind : kCompositionKinds)
        if (const auto& pairs = scores.pairs[static_cast<std::size_t>(kind)]; !pairs.empty())
            HEADSCOPE_CHECK(writeNumbers(file, "pair_" + std::string(compositionName(kind)),
                                         {scores.heads, scores.directions, scores.heads, scores.directions}, pairs));
    if (scores.pairLayers)
    {
        const std::array<std::int32_t, 2> layers = {static_cast<std::int32_t>(scores.pairLayers->first),
                                                    static_cast<std::int32_t>(scores.pairLayers->second)};
        const std::array<std::int64_t, 1> shape = {2};
        HEADSCOPE_CHECK(file.write("/composition/pair_layers", shape, NumberType::I32,
                                   std::as_bytes(std::span<const std::int32_t>(layers))));
    }
    return publishCircuits(file, {"composition", command, found.model, found.hashes},
                           {{"kv_heads", scores.kvHeads}, {"norms", found.carried ? "carried" : "folded"}});
}

} // namespace

std::string compositionJson(const CompositionFindings& found, const Members& more, int indent)
{
    Json json = nodeJson(resultOf(found));
    addMembers(json, more);
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string compositionText(const CompositionFindings& found)
{
    const CompositionScores& scores = found.scores;
    std::string text = fmt::format(
        "Composition in {} layers with {} heads each, {:.1f} s\n\nThe {} pairs with the highest scores{}\n{}\n",
        scores.layers, scores.heads, found.seconds, found.strongest.size(),
        found.subtracted > 0 ? fmt::format(", {:.4f} subtracted", found.subtracted) : "",
        frameText(edgesFrame(found.strongest)));
    text += fmt::format(
        "Score: norm of the product of the two heads' matrices, divided by the norms of both matrices. Under random "
        "rotations its root mean square is {:.4f}.\nScores come from the weights only: they ignore rotary positions, "
        "biases, MLPs and the divisors of norms. They show what could flow between heads, not what flows in a text.\n",
        scores.baseline);
    if (found.carried)
        text += "The output of a head passes through the norms between the layers, without their divisors.\n";
    return text;
}

Status writeComposition(const std::filesystem::path& path, const CompositionFindings& found, const std::string& command)
{
    if (path.extension() == ".h5")
        return writeHdf5(path, found, command);
    if (path.extension() == ".csv")
        return writeCsvFile(path, frameCsv(edgesFrame(found.strongest), CsvTexts::Plain));
    return writeFileAtomically(path, compositionJson(found, {}, 1) + "\n");
}

} // namespace headscope::engine
