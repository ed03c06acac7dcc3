// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/tokenize/load/tokenizer_config.h"
#include "model/tokenize/tokenizer_parts.h"

#include <filesystem>
#include <memory>
#include <string_view>

namespace headscope::tokenize
{

/// What a Hugging Face tokenizer consists of, from the texts of tokenizer.json and of the files beside it. `file` names
/// the first in errors.
/// @errors BadFormat (malformed or contradicts itself), Unsupported (a component by its name)
[[nodiscard]] Result<std::unique_ptr<const TokenizerParts>>
partsFromJson(std::string_view json, const ConfigTexts& texts, std::string_view file);

/// The same from the folder that holds the files.
/// @errors FileNotFound (no tokenizer.json, nor a vocab.txt of BERT), those of partsFromJson
[[nodiscard]] Result<std::unique_ptr<const TokenizerParts>> partsFromFolder(const std::filesystem::path& folder);

} // namespace headscope::tokenize
