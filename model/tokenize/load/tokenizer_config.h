// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/tokenize/load/normalizer_json.h"

#include <optional>
#include <string>
#include <string_view>

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
    std::string ownCode; ///< Python class that comes with the model, "" as a rule
    BertOverrides bert;  ///< only where the class is BERT's

    /// The Llama classes take the tokens around a text from their flags, where the file has them.
    [[nodiscard]] bool isLlama() const
    {
        return tokenizerClass == "LlamaTokenizer" || tokenizerClass == "LlamaTokenizerFast";
    }
};

/// @param text  of tokenizer_config.json; "" gives what an absent file means
/// @errors BadFormat
[[nodiscard]] Result<TokenizerConfig> readTokenizerConfig(std::string_view text, std::string_view file);

} // namespace headscope::tokenize
