// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/load/json_place.h"
#include "model/tokenize/tokenizer_parts.h"

#include <array>
#include <string_view>

namespace headscope::tokenize
{

/// Reads the `model` entry of tokenizer.json: fills vocabulary and model.
/// @errors Unsupported (a model type or option by its name), BadFormat (a merge of tokens that the
///         vocabulary lacks, an id twice, ...)
[[nodiscard]] Status addModel(const JsonPlace& json, TokenizerParts& parts);

/// The byte tokens `<0x00>` to `<0xFF>` of a vocabulary; kNoToken for those it lacks.
[[nodiscard]] std::array<TokenId, 256> byteTokens(const Vocabulary& vocabulary);

/// One merge rule by the texts of its halves.
/// @errors BadFormat: one of the halves, or both together, is no token
[[nodiscard]] Status addMerge(std::string_view left, std::string_view right, std::size_t rank,
                              const Vocabulary& vocabulary, MergeTable& merges);

} // namespace headscope::tokenize
