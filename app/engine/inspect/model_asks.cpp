// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/inspect/model_asks.h"

#include "model/base/escape_controls.h"
#include "model/data/frame/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace headscope::engine
{
namespace
{

std::string attentionText(const ModelCard& card)
{
    const std::set<std::int64_t> windows(card.windows.begin(), card.windows.end());
    std::string text = card.causal ? "causal" : "bidirectional";
    for (const auto window : windows)
    {
        if (window == 0)
            continue;
        const auto layers = std::count(card.windows.begin(), card.windows.end(), window);
        text += card.causal ? fmt::format(", window of {} tokens", withCommas(window))
                            : fmt::format(", window of {} tokens to either side", withCommas(window / 2));
        if (layers < static_cast<std::ptrdiff_t>(card.windows.size()))
            text += fmt::format(" in {} of {} layers", layers, card.windows.size());
    }
    return text;
}

/// A number without zeros at its end, thousands separated where it is whole.
std::string plainNumber(double number)
{
    const auto whole = static_cast<std::int64_t>(number);
    return static_cast<double>(whole) == number ? withCommas(whole) : fmt::format("{:g}", number);
}

std::string scoresText(const ModelConfig& config)
{
    const double scalar = config.queryScalar > 0 ? config.queryScalar : static_cast<double>(config.headDim);
    std::string text = fmt::format("q.k / sqrt({})", plainNumber(scalar));
    if (config.softcap > 0)
        text += fmt::format(", softcapped: {0} tanh(score / {0})", plainNumber(config.softcap));
    if (config.traits().relativeBias)
        text += ", plus a bias for the distance between query and key";
    return text;
}

std::string ropeText(const ModelConfig& config, const RopeConfig& rope)
{
    constexpr std::array<std::string_view, 7> kNames = {"", "linear", "dynamic", "llama3", "yarn", "longrope", "ntk"};
    std::string text = fmt::format("rotary, base {}", plainNumber(rope.theta));
    if (config.rotaryDim(rope) < config.headDim)
        text += fmt::format(", the first {} of {} dimensions of a head", config.rotaryDim(rope), config.headDim);
    if (rope.scaling == RopeScaling::None)
        return text;
    text += fmt::format(", {} scaling by {}", kNames[static_cast<std::size_t>(rope.scaling)], plainNumber(rope.factor));
    if (rope.originalPositions > 0)
        text += fmt::format(" from {} original positions", plainNumber(rope.originalPositions));
    return text;
}

std::string positionsText(const ModelConfig& config)
{
    const std::string count = withCommas(config.maxTokens());
    if (config.traits().positions == PositionScheme::Learned)
        return fmt::format("{}, {}", count, positionsName(PositionScheme::Learned));
    std::string text = fmt::format("{}, {}", count, ropeText(config, config.rope));
    const auto windowed = std::ranges::count_if(config.windows, [](std::int64_t window) { return window > 0; });
    if (config.windowedRope && windowed > 0)
        text += fmt::format("; layers with a window: {}", ropeText(config, *config.windowedRope));
    return text;
}

std::string mlpText(const ModelConfig& config)
{
    return fmt::format("{} wide, {}{}", withCommas(config.mlpDim), activationName(config.activation),
                       config.traits().hasGate() ? ", gated" : "");
}

std::string normsText(const ModelConfig& config)
{
    const FamilyTraits& traits = config.traits();
    constexpr std::array<std::string_view, 3> kPlaces = {"before attention and MLP", "after attention and MLP",
                                                         "before and after attention and MLP"};
    return fmt::format("{}, epsilon {:g}, {}{}", traits.normKind == NormKind::Rms ? "RMSNorm" : "LayerNorm",
                       config.normEps, kPlaces[static_cast<std::size_t>(traits.normPlacement)],
                       traits.queryKeyNorm ? ", also of queries and keys" : "");
}

std::string startText(const Tokenizer& tokenizer)
{
    std::string text;
    for (const TokenId id : tokenizer.prefix())
        text += tokenizer.tokenText(id) + " ";
    return text.empty() ? "nothing is added before a text" : text + "is added before every text";
}

std::string poolingText(const ModelCard& card)
{
    if (!card.sentence.otherPooling.empty())
        return card.sentence.otherPooling + " (not supported; last, mean and first give other vectors)";
    constexpr std::array<std::string_view, 3> kNames = {"last token", "first token", "mean of all tokens"};
    const Pooling pooling = card.defaultPooling();
    return fmt::format("{}{}{}", kNames[static_cast<std::size_t>(pooling)],
                       pooling == Pooling::Mean && !card.sentence.includePrompt ? " except those of a prompt" : "",
                       card.sentence.pooling ? "" : " (the model sets none)");
}

/// What makes the sentence embedding, and what is not touched by it.
std::string embeddingText(const ModelCard& card)
{
    const EmbeddingPlan& plan = card.sentence.embedding;
    if (!plan.any())
        return fmt::format("not computed: {}", plan.notDone);
    return fmt::format("{} dimensions: the pooled final hidden state, then {}; head vectors are unchanged",
                       plan.dims(card.info.modelDim), plan.words());
}

} // namespace

FactLines modelAsks(const OpenedModel& model)
{
    const ModelCard& card = model.card;
    const ModelConfig& config = model.files.config;
    FactLines lines;
    const auto add = [&lines](std::string_view name, std::string_view text) {
        lines.emplace_back(name, escapeControls(text, LineBreaks::Shown));
    };
    add("attention", attentionText(card));
    add("scores", scoresText(config));
    add("positions", positionsText(config));
    add("MLP", mlpText(config));
    add("norms", normsText(config));
    if (!card.adapter.empty())
        add("adapter", card.adapter);
    add("tokenizer", fmt::format("{}, {} tokens", model.tokenizer.kind(), withCommas(card.info.vocabulary)));
    add("start token", startText(model.tokenizer));
    add("end token", model.tokenizer.endRule());
    add("max tokens", fmt::format("{} per text{}", withCommas(card.defaultMaxTokens()),
                                  card.sentence.maxSequenceLength ? "" : " (the model sets none)"));
    for (const NamedPrompt& prompt : card.sentence.prompts)
        add("prompt", fmt::format("{}: \"{}\"{}", prompt.name, prompt.text,
                                  prompt.name == card.sentence.defaultPrompt ? ", before every text" : ""));
    add("pooling", poolingText(card));
    if (!card.sentence.modules.empty())
        add("modules", fmt::format("{}", fmt::join(card.sentence.modules, ", ")));
    if (card.sentence.embedding.any() || !card.sentence.embedding.notDone.empty())
        add("embedding", embeddingText(card));
    for (const std::string& warning : card.warnings)
        add("notice", warning);
    return lines;
}

} // namespace headscope::engine
