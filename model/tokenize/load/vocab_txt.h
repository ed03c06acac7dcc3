// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <string>
#include <string_view>

namespace headscope::tokenize
{

/// The tokenizer.json that stands for a vocab.txt: the WordPiece of BERT, one token a line, its id the number of the
/// line from 0. What tokenizer_config.json says of capitals and accents is applied to it as to any other.
/// @param file  its name, for the messages
/// @errors BadFormat ([UNK], [CLS] or [SEP] is missing)
[[nodiscard]] Result<std::string> tokenizerJsonOfVocabulary(std::string_view text, std::string_view file);

} // namespace headscope::tokenize
