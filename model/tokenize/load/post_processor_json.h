// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/load/json_place.h"
#include "model/tokenize/vocabulary.h"

#include <vector>

namespace headscope::tokenize
{

/// The tokens that are put around every text.
struct Frame
{
    std::vector<TokenId> prefix;
    std::vector<TokenId> suffix;
};

/// Puts what a `post_processor` entry of tokenizer.json adds around what `frame` has already.
/// @errors Unsupported (a type by its name), BadFormat (an id without token, a template without
///         its text)
[[nodiscard]] Status addPostProcessor(const JsonPlace& json, const Vocabulary& vocabulary, Frame& frame);

} // namespace headscope::tokenize
