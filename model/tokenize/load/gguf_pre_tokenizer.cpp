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
        {
            PreTokenizerTraits traits;
            HEADSCOPE_CHECK(addPattern(pattern.empty() ? wordPatternText(WordPattern::Gpt2) : pattern,
                                       SplitBehavior::Isolated, false, to, traits));
        }
        break;
    }
    to.add(cut::ByteLevel{});
    return {};
}

} // namespace headscope::tokenize
