// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/tokenize/tokenizer_parts.h"

#include <memory>
#include <string_view>

namespace headscope
{
class GgufMetadata;
}

namespace headscope::tokenize
{

/// What the tokenizer in the metadata of a GGUF file consists of; the metadata is not needed afterwards. `file` names
/// it in errors.
/// @errors BadFormat, Unsupported (a kind of vocabulary or pre-tokenizer by its name)
[[nodiscard]] Result<std::unique_ptr<const TokenizerParts>> partsFromGguf(const GgufMetadata& metadata,
                                                                          std::string_view file);

} // namespace headscope::tokenize
