// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/parquet/arrow_cells.h"

#include "model/base/utf8.h"

#include <fmt/format.h>

#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <arrow/scalar.h>
#include <arrow/type.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace headscope
{
namespace
{

template <class Lists>
ListElements elementsIn(const arrow::Array& array, std::int64_t row)
{
    const auto& lists = static_cast<const Lists&>(array);
    return {lists.values(), lists.value_offset(row), lists.value_length(row)};
}

/// The bytes of a text; nothing: the array holds something else.
std::optional<std::string_view> textIn(const arrow::Array& array, std::int64_t row)
{
    switch (array.type_id())
    {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
        return static_cast<const arrow::BinaryArray&>(array).GetView(row);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
        return static_cast<const arrow::LargeBinaryArray&>(array).GetView(row);
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
        return static_cast<const arrow::BinaryViewArray&>(array).GetView(row);
    case arrow::Type::FIXED_SIZE_BINARY:
        return static_cast<const arrow::FixedSizeBinaryArray&>(array).GetView(row);
    case arrow::Type::DICTIONARY:
    {
        const auto& coded = static_cast<const arrow::DictionaryArray&>(array);
        const std::int64_t code = coded.GetValueIndex(row);
        const auto& values = *coded.dictionary();
        const bool inside = code >= 0 && code < values.length() && values.IsValid(code);
        return inside ? textIn(values, code) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

bool isTextType(const arrow::DataType& type)
{
    return arrow::is_base_binary_like(type.id()) || arrow::is_binary_view_like(type.id()) ||
           type.id() == arrow::Type::FIXED_SIZE_BINARY ||
           (type.id() == arrow::Type::DICTIONARY &&
            isTextType(*static_cast<const arrow::DictionaryType&>(type).value_type()));
}

bool isListType(const arrow::DataType& type)
{
    return type.id() == arrow::Type::LIST || type.id() == arrow::Type::LARGE_LIST ||
           type.id() == arrow::Type::FIXED_SIZE_LIST;
}

/// As JSON's readers do: an array of texts alone is a list, any other nested.
bool takeList(const ListElements& elements, bool join, RecordField& field)
{
    field.kind = FieldKind::Nested;
    for (std::int64_t i = 0; i < elements.count; ++i)
        if (elements.values->IsNull(elements.begin + i) || !textIn(*elements.values, elements.begin + i))
            return false;
    field.kind = FieldKind::List;
    field.listed = static_cast<std::size_t>(elements.count);
    const std::int64_t taken = join ? elements.count : std::min<std::int64_t>(elements.count, 1);
    for (std::int64_t i = 0; i < taken; ++i)
    {
        field.text += i > 0 ? ", " : "";
        field.text += *textIn(*elements.values, elements.begin + i);
    }
    return repairUtf8(field.text);
}

/// A whole number of any width; nothing: the array holds something else.
std::optional<std::string> integerIn(const arrow::Array& array, std::int64_t row)
{
    switch (array.type_id())
    {
    case arrow::Type::INT8:
        return std::to_string(static_cast<const arrow::Int8Array&>(array).Value(row));
    case arrow::Type::INT16:
        return std::to_string(static_cast<const arrow::Int16Array&>(array).Value(row));
    case arrow::Type::INT32:
        return std::to_string(static_cast<const arrow::Int32Array&>(array).Value(row));
    case arrow::Type::INT64:
        return std::to_string(static_cast<const arrow::Int64Array&>(array).Value(row));
    case arrow::Type::UINT8:
        return std::to_string(static_cast<const arrow::UInt8Array&>(array).Value(row));
    case arrow::Type::UINT16:
        return std::to_string(static_cast<const arrow::UInt16Array&>(array).Value(row));
    case arrow::Type::UINT32:
        return std::to_string(static_cast<const arrow::UInt32Array&>(array).Value(row));
    case arrow::Type::UINT64:
        return std::to_string(static_cast<const arrow::UInt64Array&>(array).Value(row));
    default:
        return std::nullopt;
    }
}

/// Numbers, truth values, dates and times.
void takeOther(const arrow::Array& array, std::int64_t row, RecordField& field)
{
    field.kind = arrow::is_temporal(array.type_id()) ? FieldKind::Text : FieldKind::Number;
    if (auto integer = integerIn(array, row))
        field.text = std::move(*integer);
    else if (array.type_id() == arrow::Type::BOOL)
        field.text = static_cast<const arrow::BooleanArray&>(array).Value(row) ? "true" : "false";
    else if (array.type_id() == arrow::Type::DOUBLE)
        field.text = fmt::format("{}", static_cast<const arrow::DoubleArray&>(array).Value(row));
    else if (array.type_id() == arrow::Type::FLOAT)
        field.text = fmt::format("{}", static_cast<const arrow::FloatArray&>(array).Value(row));
    else if (const auto value = array.GetScalar(row); value.ok())
        field.text = (*value)->ToString();
    else
        field.kind = FieldKind::Null;
}

} // namespace

std::optional<ListElements> elementsOf(const arrow::Array& array, std::int64_t row)
{
    switch (array.type_id())
    {
    case arrow::Type::LIST:
        return elementsIn<arrow::ListArray>(array, row);
    case arrow::Type::LARGE_LIST:
        return elementsIn<arrow::LargeListArray>(array, row);
    case arrow::Type::FIXED_SIZE_LIST:
        return elementsIn<arrow::FixedSizeListArray>(array, row);
    default:
        return std::nullopt;
    }
}

bool keepsValues(const arrow::DataType& type)
{
    if (type.id() == arrow::Type::EXTENSION)
        return keepsValues(*static_cast<const arrow::ExtensionType&>(type).storage_type());
    if (isListType(type))
        return isTextType(*static_cast<const arrow::BaseListType&>(type).value_type());
    return isTextType(type) || arrow::is_primitive(type.id()) || arrow::is_decimal(type.id()) ||
           type.id() == arrow::Type::NA;
}

bool takeCell(const arrow::Array& array, std::int64_t row, bool joinLists, RecordField& field)
{
    field.text.clear();
    field.listed = 0;
    field.kind = FieldKind::Null;
    if (array.type_id() == arrow::Type::EXTENSION)
        return takeCell(*static_cast<const arrow::ExtensionArray&>(array).storage(), row, joinLists, field);
    if (array.IsNull(row))
        return false;
    if (const auto text = textIn(array, row))
    {
        field.kind = FieldKind::Text;
        field.text.assign(*text);
        return repairUtf8(field.text);
    }
    if (const auto elements = elementsOf(array, row))
        return takeList(*elements, joinLists, field);
    if (!keepsValues(*array.type()))
        field.kind = FieldKind::Nested;
    else if (array.type_id() != arrow::Type::DICTIONARY) // of one, what is left is a null
        takeOther(array, row, field);
    return false;
}

} // namespace headscope
