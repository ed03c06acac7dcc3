// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/tokenize/added_tokens.h"
#include "model/tokenize/load/normalizer_json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::tokenize
{

/// What tokenizer_config.json says that changes ids.
struct TokenizerConfig
{
    std::string tokenizerClass;          ///< "" when absent
    std::optional<std::string> bosToken; ///< by its spelling
    std::optional<std::string> eosToken;
    std::optional<bool> addBos;
    std::optional<bool> addEos;
    bool truncatesLeft = false;
    std::string ownCode;                 ///< Python class that comes with the model, "" as a rule
    bool mayBeBert = true;               ///< the class is BERT's, made of it, or not named
    BertOverrides bert;                  ///< only where the class is BERT's or made of it
    std::vector<AddedToken> addedTokens; ///< those of added_tokens_decoder, else of added_tokens.json
    /// Tokens that steer the model, by their spellings: pad_token, additional_special_tokens, ... The files name them,
    /// but do not say whether they are in the vocabulary.
    std::vector<std::string> specialTokens;
    bool usesSpecialMap = false; ///< some of these are named by special_tokens_map.json alone
    std::string otherTexts;      ///< of the files beside tokenizer_config.json that said something of their own

    /// The Llama classes take the tokens around a text from their flags, where the file has them.
    [[nodiscard]] bool isLlama() const
    {
        return tokenizerClass == "LlamaTokenizer" || tokenizerClass == "LlamaTokenizerFast";
    }
};

/// The texts of the files beside tokenizer.json; "" = there is none.
struct ConfigTexts
{
    std::string config;        ///< tokenizer_config.json
    std::string addedTokens;   ///< added_tokens.json, which tokenizer_config.json stands for where it lists tokens
    std::string specialTokens; ///< special_tokens_map.json, likewise for each kind of token
};
inline constexpr std::string_view kConfigFile = "tokenizer_config.json";
inline constexpr std::string_view kAddedTokensFile = "added_tokens.json";
inline constexpr std::string_view kSpecialTokensFile = "special_tokens_map.json";

/// @errors BadFormat, with the plain name of the file
[[nodiscard]] Result<TokenizerConfig> readTokenizerConfig(const ConfigTexts& texts);

} // namespace headscope::tokenize
