// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/added_tokens.h"
#include "model/tokenize/bpe.h"
#include "model/tokenize/normalizer.h"
#include "model/tokenize/pre_tokenizer.h"
#include "model/tokenize/unigram.h"
#include "model/tokenize/vocabulary.h"
#include "model/tokenize/word_piece.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace headscope
{

/// Everything a tokenizer is made of, as one of the loaders puts it together.
struct TokenizerParts
{
    tokenize::Vocabulary vocabulary;
    tokenize::AddedTokens rawTokens;        ///< looked for in the text as it comes
    tokenize::AddedTokens normalizedTokens; ///< looked for after the normalizer
    tokenize::Normalizer normalizer;
    tokenize::PreTokenizer preTokenizer;
    /// Points to `vocabulary`: the parts stay where they were made.
    std::variant<std::monostate, tokenize::Bpe, tokenize::WordPiece, tokenize::Unigram> model;

    std::vector<TokenId> prefix;
    std::vector<TokenId> suffix;
    std::optional<TokenId> bos;
    std::optional<TokenId> eos;
    bool keepsEnd = false; ///< truncation drops the beginning of the text
    bool isByteLevel = false;

    std::string kind;
    std::string endRule;
    std::vector<std::string> warnings;
    std::string sha256;
};

} // namespace headscope
