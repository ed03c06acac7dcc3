// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/gguf_pre_tokenizer.h"

#include "model/tokenize/load/pre_tokenizer_json.h"
#include "model/unicode/unicode.h"

#include <algorithm>
#include <array>

namespace headscope::tokenize
{
namespace
{

using Pattern = std::string_view;

constexpr Pattern kNumber = R"(\p{N})";
constexpr Pattern kThreeDigits = "[0-9][0-9][0-9]";
constexpr Pattern kUpToThree = R"(\p{N}{1,3})";
/// Words end where a capital begins (Mistral Nemo).
constexpr Pattern kTekkenWords = R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
                                 R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
                                 R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
/// As that, with English contractions and up to three digits at once.
constexpr Pattern kGpt4oWords =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr Pattern kQwen35Words = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}|)"
                                 R"( ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr Pattern kBloomWords = " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+";

constexpr std::array kGpt2 = {kGpt2Words};
constexpr std::array kDigitsGpt2 = {kNumber, kGpt2Words};
constexpr std::array kLlama3 = {kLlama3Words};
constexpr std::array kQwen2 = {kQwen2Words};
constexpr std::array kQwen35 = {kQwen35Words};
constexpr std::array kTekken = {kTekkenWords};
constexpr std::array kGpt4o = {kGpt4oWords};
constexpr std::array kBloom = {kBloomWords};
constexpr std::array kViking = {kBloomWords, kNumber};
constexpr std::array kTinyAya = {Pattern(R"(\d{1,3}(?=(?:\d{3})*\b))"), kGpt4oWords};
constexpr std::array kFalcon = {Pattern(R"([\p{P}\$\+<=>\^~\|`]+)"), kGpt2Words, kThreeDigits};
constexpr std::array kDeepseekCoder = {Pattern(R"([\r\n])"), Pattern(R"(\s?\p{L}+)"), Pattern(R"(\s?\p{P}+)"),
                                       Pattern("[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"), kNumber};
constexpr std::array kDeepseekV3 = {
    kUpToThree, Pattern("[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"),
    Pattern(R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|)"
            R"( ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)")};
constexpr std::array kJais2 = {
    Pattern(R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|)"
            R"(\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|)"
            R"(\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1})")};
constexpr std::array kBailing = {Pattern(R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}|)"
                                         R"( ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)")};
constexpr std::array kSeedCoder = {Pattern(R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}|)"
                                           R"( ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)")};
constexpr std::array kExaoneMoe = {
    Pattern(R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}|)"
            R"( ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+)")};
constexpr std::array kMiniCpm5 = {kUpToThree, Pattern(R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+|)"
                                                      R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)")};
constexpr std::array kDefault = {Pattern(R"([\p{P}\$\+<=>\^~\|]+)"), kGpt2Words, Pattern(R"(\p{N}+)"), kThreeDigits};

constexpr auto kPreTokenizers = std::to_array<GgufPreTokenizer>({
    {"gpt-2", kGpt2},
    {"phi-2", kGpt2},
    {"mpt", kGpt2},
    {"olmo", kGpt2},
    {"jais", kGpt2},
    {"jina-es", kGpt2},
    {"jina-de", kGpt2},
    {"jina-v1-en", kGpt2},
    {"jina-v2-es", kGpt2},
    {"jina-v2-de", kGpt2},
    {"jina-v2-code", kGpt2},
    {"roberta-bpe", kGpt2},
    {"gigachat", kGpt2},
    {"a.x-4.0", kGpt2},
    {"mellum", kGpt2},
    {"trillion", kGpt2},
    {"granite-docling", kGpt2},
    {"exaone4", kGpt2},
    {.name = "modern-bert", .patterns = kGpt2, .nfc = true},
    {"smollm", kDigitsGpt2},
    {"starcoder", kDigitsGpt2},
    {"refact", kDigitsGpt2},
    {"command-r", kDigitsGpt2},
    {"codeshell", kDigitsGpt2},
    {"exaone", kDigitsGpt2},
    {"minerva-7b", kDigitsGpt2},
    {"mellum2", kDigitsGpt2},
    {"llama-bpe", kLlama3, true, true},
    {"llama3", kLlama3, true, true},
    {"llama-v3", kLlama3, true, true},
    {"falcon3", kLlama3, true, true},
    {"falcon-h1", kLlama3, true, true},
    {"pixtral", kLlama3, true, true},
    {"midm-2.0", kLlama3, true, true},
    {"lfm2", kLlama3, true, true},
    {"jina-v5-nano", kLlama3, true, true},
    {"smaug-bpe", kLlama3},
    {"dbrx", kLlama3},
    {"glm4", kLlama3},
    {"chatglm-bpe", kLlama3},
    {"jais-2", kJais2},
    {.name = "qwen2", .patterns = kQwen2, .nfc = true},
    {.name = "deepseek-r1-qwen", .patterns = kQwen2, .nfc = true},
    {.name = "stablelm2", .patterns = kQwen2, .nfc = true},
    {.name = "f2llmv2", .patterns = kQwen2, .nfc = true},
    {.name = "qwen35", .patterns = kQwen35, .nfc = true},
    {"kormo", kQwen2},
    {"megrez", kQwen2},
    {"hunyuan", kQwen2},
    {"solar-open", kQwen2},
    {"grok-2", kQwen2},
    {"tekken", kTekken, true, true},
    {"gpt-4o", kGpt4o},
    {"llama4", kGpt4o},
    {"kanana2", kGpt4o},
    {"talkie", kGpt4o},
    {"minimax-m2", kGpt4o},
    {"granite-embed-multi-97m", kGpt4o, true},
    {"tiny_aya", kTinyAya},
    {"cohere2moe", kTinyAya},
    {"deepseek-coder", kDeepseekCoder},
    {"deepseek-v3", kDeepseekV3},
    {"hunyuan-dense", kDeepseekV3},
    {"joyai-llm", kDeepseekV3},
    {"falcon", kFalcon},
    {"poro-chat", kBloom},
    {"bloom", kBloom},
    {"gpt3-finnish", kBloom},
    {"viking", kViking},
    {"bailingmoe", kBailing},
    {"bailingmoe2", kBailing},
    {"llada-moe", kBailing},
    {"seed-coder", kSeedCoder},
    {"exaone-moe", kExaoneMoe},
    {"minicpm5", kMiniCpm5, true},
    {kGgufDefaultPreTokenizer, kDefault},
});

} // namespace

const GgufPreTokenizer* ggufPreTokenizerFromName(std::string_view name)
{
    const auto* const found = std::ranges::find(kPreTokenizers, name, &GgufPreTokenizer::name);
    return found == kPreTokenizers.end() ? nullptr : found;
}

Status addGgufPreTokenizer(const GgufPreTokenizer& pre, Normalizer& normalizer, PreTokenizer& to)
{
    if (pre.nfc)
        normalizer.add(normalize::Form{NormalForm::Nfc});
    PreTokenizerTraits traits;
    for (const Pattern pattern : pre.patterns)
        if (pattern == kNumber) // faster than the engine
            to.add(cut::Characters{isNumber, SplitBehavior::Isolated});
        else
            HEADSCOPE_CHECK(addPattern(pattern, SplitBehavior::Isolated, false, to, traits));
    to.add(cut::ByteLevel{});
    return {};
}

} // namespace headscope::tokenize
