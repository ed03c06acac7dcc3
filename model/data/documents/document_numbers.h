// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// A number per document: its tokens, its length, or a label column whose labels are all numbers.
struct DocumentNumbers
{
    std::string name;
    std::vector<float> values; ///< [N]; NaN where the document has none
};

/// The columns of numbers that documents have: "tokens" and "characters" where they are known, then
/// label columns that labelNumbers() can read.
[[nodiscard]] std::vector<std::string> documentNumberNames(const DocumentSet& documents);

/// The column of numbers of this name, or nothing.
/// @cost one pass over the tokens, texts or codes
[[nodiscard]] std::optional<DocumentNumbers> documentNumbers(const DocumentSet& documents, std::string_view name);

/// A label column read as numbers ("1987", "-0.5", "1e3"; "nan" and "" are none), or nothing when one
/// of its labels is no number or it has no label at all.
[[nodiscard]] std::optional<std::vector<float>> labelNumbers(const LabelColumn& column);

/// Whether the labels of a column are groups to colour by: numbers of more different values than an
/// eye could tell apart are not.
[[nodiscard]] bool isGroups(const LabelColumn& column);

} // namespace headscope
