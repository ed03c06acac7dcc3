// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/load/json_place.h"
#include "model/tokenize/pre_tokenizer.h"

#include <string>

namespace headscope::tokenize
{

/// Properties of a pre-tokenizer, for the description of the tokenizer.
struct PreTokenizerTraits
{
    bool isByteLevel = false;
    bool individualDigits = false;
    std::string pattern; ///< "GPT-2 pattern", or "" where it has no pattern of its own
};

/// Adds the steps of a `pre_tokenizer` entry of tokenizer.json.
/// @errors Unsupported (a type, behaviour or pattern by its name), BadFormat
[[nodiscard]] Status addPreTokenizer(const JsonPlace& json, PreTokenizer& preTokenizer, PreTokenizerTraits& traits);

/// Adds a split by a regular expression, by hand where it is a well-known one.
/// @errors Unsupported (the engine does not understand the pattern)
[[nodiscard]] Status addPattern(std::string_view pattern, SplitBehavior behavior, bool invert,
                                PreTokenizer& preTokenizer, PreTokenizerTraits& traits);

} // namespace headscope::tokenize
