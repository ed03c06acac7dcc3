// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/gguf_pre_tokenizer.h"

#include "model/tokenize/load/pre_tokenizer_json.h"
#include "model/tokenize/unicode.h"

#include <algorithm>
#include <array>

namespace headscope::tokenize
{
namespace
{

/// As the tokenizer.json of Mistral Nemo and of GPT-4o have it.
constexpr std::string_view kTekken = R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
                                     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
                                     R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kGpt4o =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

Status addIsolated(std::string_view pattern, PreTokenizer& to)
{
    PreTokenizerTraits traits;
    return addPattern(pattern, SplitBehavior::Isolated, false, to, traits);
}

constexpr std::array kPreTokenizers{
    GgufPreTokenizer{"gpt-2", GgufCutting::Gpt2},
    GgufPreTokenizer{"phi-2", GgufCutting::Gpt2},
    GgufPreTokenizer{"mpt", GgufCutting::Gpt2},
    GgufPreTokenizer{"olmo", GgufCutting::Gpt2},
    GgufPreTokenizer{"jina-es", GgufCutting::Gpt2},
    GgufPreTokenizer{"jina-de", GgufCutting::Gpt2},
    GgufPreTokenizer{"smollm", GgufCutting::DigitsGpt2},
    GgufPreTokenizer{"starcoder", GgufCutting::DigitsGpt2},
    GgufPreTokenizer{"refact", GgufCutting::DigitsGpt2},
    GgufPreTokenizer{"command-r", GgufCutting::DigitsGpt2},
    GgufPreTokenizer{"codeshell", GgufCutting::DigitsGpt2},
    GgufPreTokenizer{"llama-bpe", GgufCutting::Llama3, true, true},
    GgufPreTokenizer{"llama3", GgufCutting::Llama3, true, true},
    GgufPreTokenizer{"llama-v3", GgufCutting::Llama3, true, true},
    GgufPreTokenizer{"smaug-bpe", GgufCutting::Llama3},
    GgufPreTokenizer{"dbrx", GgufCutting::Llama3},
    GgufPreTokenizer{"qwen2", GgufCutting::Qwen2},
    GgufPreTokenizer{"deepseek-r1-qwen", GgufCutting::Qwen2},
    GgufPreTokenizer{"stablelm2", GgufCutting::Qwen2},
    GgufPreTokenizer{"tekken", GgufCutting::Tekken, true, true},
    GgufPreTokenizer{"gpt-4o", GgufCutting::Gpt4o},
    GgufPreTokenizer{"llama4", GgufCutting::Gpt4o},
    GgufPreTokenizer{"default", GgufCutting::Default},
};

} // namespace

std::optional<GgufPreTokenizer> ggufPreTokenizerFromName(std::string_view name)
{
    const auto found = std::find_if(kPreTokenizers.begin(), kPreTokenizers.end(),
                                    [&](const GgufPreTokenizer& known) { return known.name == name; });
    return found == kPreTokenizers.end() ? std::nullopt : std::optional(*found);
}

Status addGgufPreTokenizer(GgufCutting cutting, Normalizer& normalizer, PreTokenizer& to)
{
    switch (cutting)
    {
    case GgufCutting::DigitsGpt2:
        to.add(cut::Characters{isNumber, SplitBehavior::Isolated});
        to.add(cut::Words{WordPattern::Gpt2});
        break;
    case GgufCutting::Gpt2:
        to.add(cut::Words{WordPattern::Gpt2});
        break;
    case GgufCutting::Llama3:
        to.add(cut::Words{WordPattern::Llama3});
        break;
    case GgufCutting::Qwen2:
        // The files do not say it, but these models were trained on NFC.
        normalizer.add(normalize::Form{NormalForm::Nfc});
        to.add(cut::Words{WordPattern::Qwen2});
        break;
    case GgufCutting::Default:
        for (const std::string_view pattern : {R"([\p{P}\$\+<=>\^~\|]+)", "", R"(\p{N}+)", "[0-9][0-9][0-9]"})
            HEADSCOPE_CHECK(addIsolated(pattern.empty() ? wordPatternText(WordPattern::Gpt2) : pattern, to));
        break;
    case GgufCutting::Tekken:
        HEADSCOPE_CHECK(addIsolated(kTekken, to));
        break;
    case GgufCutting::Gpt4o:
        HEADSCOPE_CHECK(addIsolated(kGpt4o, to));
        break;
    }
    to.add(cut::ByteLevel{});
    return {};
}

} // namespace headscope::tokenize
