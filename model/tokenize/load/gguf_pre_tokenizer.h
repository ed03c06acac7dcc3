// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/normalizer.h"
#include "model/tokenize/pre_tokenizer.h"

#include <optional>
#include <string_view>

namespace headscope::tokenize
{

/// How a hard-coded pre-tokenizer of GGUF files cuts: by its name in tokenizer.ggml.pre.
enum class GgufCutting
{
    Gpt2,
    DigitsGpt2, ///< every number character by itself, then GPT-2's pattern
    Llama3,
    Qwen2,
    Tekken,  ///< words end where a capital begins (Mistral Nemo)
    Gpt4o,   ///< as that, with English contractions and up to three digits at once
    Default, ///< what llama.cpp falls back to for a model that it does not know
};

/// What a name in tokenizer.ggml.pre stands for.
struct GgufPreTokenizer
{
    std::string_view name;
    GgufCutting cutting;
    bool ignoreMerges = false;
    bool addBos = false; ///< when the file does not say
};

/// @return nothing for a name that is not known
/// @source llama.cpp's table of names; the patterns are those of the models' own tokenizers
[[nodiscard]] std::optional<GgufPreTokenizer> ggufPreTokenizerFromName(std::string_view name);

/// Adds the steps of a cutting, and the normal form that belongs to it.
[[nodiscard]] Status addGgufPreTokenizer(GgufCutting cutting, Normalizer& normalizer, PreTokenizer& preTokenizer);

} // namespace headscope::tokenize
