// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/normalizer.h"
#include "model/tokenize/pre_tokenizer.h"

#include <span>
#include <string_view>

namespace headscope::tokenize
{

/// The name of what llama.cpp falls back to for a model that it does not know.
inline constexpr std::string_view kGgufDefaultPreTokenizer = "default";

/// What a name in tokenizer.ggml.pre stands for: a text is cut by the matches of each pattern in turn.
struct GgufPreTokenizer
{
    std::string_view name;
    std::span<const std::string_view> patterns; ///< of regular expressions, as Regex takes them
    bool ignoreMerges = false;
    bool addBos = false; ///< when the file does not say
    bool nfc = false;    ///< the files do not say it, but the models were trained on texts in this form
};

/// @return nullptr for a name that is not known
/// @source llama.cpp's table of names; the patterns are those of the models' own tokenizers
[[nodiscard]] const GgufPreTokenizer* ggufPreTokenizerFromName(std::string_view name);

/// Adds the steps of a pre-tokenizer, and the normal form that belongs to it.
[[nodiscard]] Status addGgufPreTokenizer(const GgufPreTokenizer& pre, Normalizer& normalizer,
                                         PreTokenizer& preTokenizer);

} // namespace headscope::tokenize
