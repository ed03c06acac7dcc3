// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/load/json_place.h"
#include "model/tokenize/normalizer.h"

#include <optional>

namespace headscope::tokenize
{

/// What tokenizer_config.json of a BERT tokenizer says about its normalizer; it goes before what
/// tokenizer.json says, as in the reference.
struct BertOverrides
{
    std::optional<bool> lowercase;
    std::optional<bool> spaceIdeographs;
    std::optional<bool> stripAccents;
};

/// Adds the steps of a `normalizer` entry of tokenizer.json.
/// @errors Unsupported (a type by its name), BadFormat
[[nodiscard]] Status addNormalizer(const JsonPlace& json, const BertOverrides& overrides, Normalizer& normalizer);

} // namespace headscope::tokenize
