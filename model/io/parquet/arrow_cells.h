// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/texts/record_reader.h"

#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace headscope
{

/// Whether values of this type are kept: texts, numbers, times and lists of texts. Others (FieldKind::Nested) are not
/// even read.
[[nodiscard]] bool keepsValues(const arrow::DataType& type);

/// Makes a value of an Arrow array the content of a field. Texts and bytes are taken as UTF-8, whose faults become
/// U+FFFD; dates and times are texts as ISO 8601 writes them, decimals numbers.
/// @param row        0 <= row < array.length()
/// @param joinLists  RecordOptions::joinLists
/// @return  whether something had to be repaired
/// @throws  what Arrow throws at a value it cannot print
[[nodiscard]] bool takeCell(const arrow::Array& array, std::int64_t row, bool joinLists, RecordField& field);

/// The elements of one list of an array of lists, in the array of all elements.
struct ListElements
{
    std::shared_ptr<arrow::Array> values;
    std::int64_t begin = 0;
    std::int64_t count = 0;
};

/// @return  nothing where the array is none of lists
[[nodiscard]] std::optional<ListElements> elementsOf(const arrow::Array& array, std::int64_t row);

} // namespace headscope
