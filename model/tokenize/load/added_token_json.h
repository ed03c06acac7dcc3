// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/tokenize/added_tokens.h"
#include "model/tokenize/load/json_place.h"

#include <vector>

namespace headscope::tokenize
{

/// An added token by the keys that all files share; its id is not set.
/// @errors BadFormat, Unsupported (a spelling of more than 4 KiB)
[[nodiscard]] Result<AddedToken> addedTokenFromJson(const JsonPlace& json);

/// added_tokens_decoder of tokenizer_config.json: an object of id to token, in the order of the ids.
/// @errors BadFormat, Unsupported
[[nodiscard]] Result<std::vector<AddedToken>> addedTokensFromDecoder(const JsonPlace& json);

/// added_tokens.json: an object of spelling to id, in the order of the ids.
/// @errors BadFormat
[[nodiscard]] Result<std::vector<AddedToken>> addedTokensFromMap(const JsonPlace& json);

} // namespace headscope::tokenize
