// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/document_set.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// A number per document: its tokens, its length, or a label column whose labels are all numbers.
struct NumberColumn
{
    std::string name;
    std::vector<float> values; ///< [N]; NaN where the document has none
};

/// The columns of numbers that documents have: "tokens" and "characters" where they are known, then
/// label columns that numbersOf() can read.
/// @cost one pass over tokens, texts and codes
[[nodiscard]] std::vector<NumberColumn> numberColumns(const DocumentSet& documents);

/// The names of numberColumns(), without their values.
[[nodiscard]] std::vector<std::string> numberColumnNames(const DocumentSet& documents);

/// The column of numbers of this name, or nothing.
[[nodiscard]] std::optional<NumberColumn> numberColumn(const DocumentSet& documents, std::string_view name);

/// A label column read as numbers ("1987", "-0.5", "1e3"; "nan" and "" are none), or nothing when one
/// of its labels is no number or it has no label at all.
[[nodiscard]] std::optional<std::vector<float>> numbersOf(const LabelColumn& column);

} // namespace headscope
