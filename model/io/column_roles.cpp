// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/column_roles.h"

#include "model/io/document_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headscope
{
namespace
{

constexpr std::size_t kMostLabelValues = 100;

std::string_view kindName(FieldKind kind)
{
    switch (kind)
    {
    case FieldKind::Null:
        return "null";
    case FieldKind::Text:
        return "text";
    case FieldKind::Number:
        return "a number or truth value";
    case FieldKind::Nested:
        return "an array or object";
    }
    return "something else";
}

Error badRecord(const Record& record, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), record.file, record.place()};
}

std::string fieldNames(const Record& record)
{
    std::vector<std::string> names;
    for (const Field& field : record.fields)
        names.push_back(field.name);
    return names.empty() ? "no fields" : fmt::format("the fields {}", fmt::join(names, ", "));
}

} // namespace

Result<std::string> textOf(const Record& record, const std::string& column)
{
    const Field* field = record.find(column);
    if (field == nullptr)
        return badRecord(record,
                         fmt::format("expected the field \"{}\" with the text, found {}", column, fieldNames(record)));
    if (field->kind != FieldKind::Text && !(record.untyped && field->kind == FieldKind::Number))
        return badRecord(record,
                         fmt::format("expected text in the field \"{}\", found {}", column, kindName(field->kind)));
    return field->text;
}

ColumnScan::ColumnScan(const DocumentOptions& options) : m_options(options), m_idName(options.idColumn.value_or("id"))
{}

Status ColumnScan::addId(const Record& record)
{
    const Field* field = record.find(m_idName);
    const bool usable = field != nullptr && !field->text.empty() &&
                        (field->kind == FieldKind::Text || field->kind == FieldKind::Number);
    if (!usable && m_options.idColumn)
        return badRecord(
            record, field == nullptr
                        ? fmt::format("expected the field \"{}\" with the id, found {}", m_idName, fieldNames(record))
                        : fmt::format("expected an id in the field \"{}\", found {}", m_idName,
                                      field->text.empty() && field->kind == FieldKind::Text ? "an empty text"
                                                                                            : kindName(field->kind)));
    if (!usable)
        return {};
    ++m_withId;
    const auto [before, isNew] = m_ids.try_emplace(field->text, Place{record.file, record.line});
    if (isNew)
        return {};
    const Place& first = before->second;
    std::string where = first.line > 0 ? fmt::format("line {}", first.line) : std::string();
    if (first.file != record.file || where.empty())
        where = where.empty() ? first.file : first.file + ": " + where;
    return badRecord(
        record, fmt::format("expected ids that differ, found \"{}\", which is also the id of {}", field->text, where));
}

void ColumnScan::addColumns(const Record& record)
{
    for (const Field& field : record.fields)
    {
        const auto [known, isNew] = m_columnByName.try_emplace(field.name, m_columns.size());
        if (isNew)
            m_columns.push_back({field.name, 0, true, {}});
        Column& column = m_columns[known->second];
        if (field.kind == FieldKind::Null || (field.kind == FieldKind::Text && field.text.empty()))
            continue;
        ++column.present;
        column.textOnly = column.textOnly && field.kind == FieldKind::Text;
        if (column.textOnly && column.values.size() <= kMostLabelValues)
            column.values.insert(field.text);
    }
}

Status ColumnScan::add(const Record& record)
{
    HEADSCOPE_TRY([[maybe_unused]] const std::string text, textOf(record, m_options.textColumn));
    HEADSCOPE_CHECK(addId(record));
    if (m_options.labelColumns)
    {
        for (const std::string& name : *m_options.labelColumns)
        {
            const Field* field = record.find(name);
            if (field != nullptr && field->kind == FieldKind::Nested)
                return badRecord(
                    record, fmt::format("expected a label in the field \"{}\", found {}", name, kindName(field->kind)));
        }
    }
    addColumns(record);
    ++m_count;
    m_repaired += record.repaired ? 1 : 0;
    return {};
}

std::optional<std::string> ColumnScan::idColumn() const
{
    return m_count > 0 && m_withId == m_count ? std::optional(m_idName) : std::nullopt;
}

bool ColumnScan::idsIncomplete() const
{
    return m_withId > 0 && m_withId < m_count;
}

Result<std::vector<std::string>> ColumnScan::labelColumns() const
{
    std::vector<std::string> names;
    if (m_options.labelColumns)
    {
        for (const std::string& name : *m_options.labelColumns)
        {
            std::vector<std::string> found;
            for (const Column& column : m_columns)
                found.push_back(column.name);
            if (!m_columnByName.contains(name))
                return Error{
                    ErrorCode::InvalidArgument,
                    fmt::format("expected a label column \"{}\", found the columns {}", name, fmt::join(found, ", ")),
                    {},
                    {}};
            names.push_back(name);
        }
        return names;
    }
    const auto ids = idColumn();
    for (const Column& column : m_columns)
    {
        const auto different = static_cast<std::int64_t>(column.values.size());
        if (column.textOnly && different > 0 && column.values.size() <= kMostLabelValues &&
            different < column.present && column.name != m_options.textColumn && column.name != ids)
            names.push_back(column.name);
    }
    return names;
}

} // namespace headscope
