// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/column_roles.h"

#include "model/base/text/split_text.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/hdf5/hdf5_types.h"
#include "model/io/texts/csv_separator.h"
#include "model/io/texts/document_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace headscope
{
namespace
{

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
    case FieldKind::List:
        return "a list of texts";
    case FieldKind::Nested:
        return "an array or object";
    }
    return "something else";
}

Error badRecord(const Record& record, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), record.file, record.place()};
}

/// What the file calls its fields: a table has columns.
std::string_view fieldWord(const Record& record)
{
    return record.untyped || record.isRow ? "column" : "field";
}

std::string fieldNames(const Record& record)
{
    std::vector<std::string> names;
    for (const RecordField& field : record.fields)
        names.push_back(field.name);
    return names.empty()
               ? fmt::format("no {}s", fieldWord(record))
               : fmt::format("the {}{} {}", fieldWord(record), names.size() > 1 ? "s" : "", fmt::join(names, ", "));
}

Error lackingField(const Record& record, const std::string& column, std::string_view what)
{
    Error error = badRecord(record, fmt::format("expected the {} \"{}\" with the {}, found {}", fieldWord(record),
                                                column, what, fieldNames(record)));
    if (record.untyped) // every row lacks what the header lacks
        error.place = "line 1";
    if (record.isRow)
        error.place.clear();
    return error;
}

bool isId(const RecordField* field)
{
    return field != nullptr && !field->text.empty() &&
           (field->kind == FieldKind::Text || field->kind == FieldKind::Number);
}

/// "nan", as other programs write a number that is not there.
bool isNotANumber(std::string_view text)
{
    constexpr std::string_view kNan = "nan";
    return std::ranges::equal(text, kNan, {},
                              [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
}

bool isWhole(std::string_view number)
{
    if (number.starts_with('-'))
        number.remove_prefix(1);
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

/// As pandas, R and spreadsheets write a value that is not there.
constexpr std::array<std::string_view, 9> kNoValue = {"NA", "NaN", "nan", "N/A", "n/a", "#N/A", "NULL", "null", "<NA>"};

/// What a message says of a long value.
std::string beginning(const std::string& text)
{
    constexpr std::size_t kMost = 40;
    const std::string_view beginning = beginningOf(text, kMost);
    return beginning.size() == text.size() ? text : std::string(beginning) + "…";
}

} // namespace

Result<const std::string*> textIn(const Record& record, const std::string& column)
{
    const RecordField* field = record.find(column);
    if (field == nullptr)
        return lackingField(record, column, "text");
    if (field->kind != FieldKind::Text && !(record.untyped && field->kind == FieldKind::Number))
        return badRecord(record, fmt::format("expected text in the {} \"{}\", found {}", fieldWord(record), column,
                                             kindName(field->kind)));
    return &field->text;
}

Result<std::string> textOf(const Record& record, const std::string& column)
{
    HEADSCOPE_TRY(const std::string* text, textIn(record, column));
    return *text;
}

Result<std::string> idOf(const Record& record, const std::string& column)
{
    const RecordField* field = record.find(column);
    if (field == nullptr)
        return lackingField(record, column, "id");
    if (!isId(field))
        return badRecord(record, fmt::format("expected an id in the {} \"{}\", found {}", fieldWord(record), column,
                                             field->kind == FieldKind::Text ? "an empty text" : kindName(field->kind)));
    if (field->text.find('\0') !=
        std::string::npos) // a cache keeps the symbol for it, and ids would be one that differ
        return badRecord(record, fmt::format("expected an id in the {} \"{}\", found one with a NUL (U+0000)",
                                             fieldWord(record), column));
    return field->text;
}

Error repeatedId(const Record& record, const std::string& id, const std::string& where)
{
    return badRecord(record, fmt::format("expected unique ids, found \"{}\", which is also the id of {}", id, where));
}

Status checkLabel(const Record& record, const std::string& column)
{
    const RecordField* field = record.find(column);
    if (field != nullptr && field->kind == FieldKind::Nested)
        return badRecord(
            record,
            fmt::format(
                "expected a label in the {} \"{}\", found {}; to use one of its fields, name the column {}.FIELD",
                fieldWord(record), column, kindName(field->kind), column));
    return {};
}

Result<std::string> NumberCheck::add(const Record& record, const std::string& column)
{
    const RecordField* field = record.find(column);
    if (field == nullptr || field->kind == FieldKind::Null || (field->kind == FieldKind::Text && field->text.empty()))
        return std::string();
    const bool hasComma = field->kind == FieldKind::Number && field->text.find(',') != std::string::npos;
    std::string number = hasComma ? withDecimalPoint(field->text) : field->text;
    if (isNotANumber(number))
        return std::string();
    const bool isOneValue = field->kind == FieldKind::Text || field->kind == FieldKind::Number;
    if (!isOneValue || !isNumberIn(',', number))
        return badRecord(record, fmt::format("expected a number in the {} \"{}\", found {}", fieldWord(record), column,
                                             isOneValue ? fmt::format("\"{}\"", withoutNul(beginning(field->text)))
                                                        : std::string(kindName(field->kind))));
    std::string& own = hasComma ? m_comma : m_point;
    if (own.empty() && (hasComma || number.find('.') != std::string::npos))
        own = field->text;
    if (!m_comma.empty() && !m_point.empty())
        return badRecord(record,
                         fmt::format("expected decimal commas or decimal points in the {} \"{}\", found both: {} "
                                     "and {}",
                                     fieldWord(record), column, m_comma, m_point));
    return number;
}

std::string ColumnScan::Place::text() const
{
    return line > 0 ? fmt::format("{} {}", isRow ? "row" : "line", line) : std::string();
}

ColumnScan::ColumnScan(const DocumentOptions& options) : m_options(options), m_idName(options.idColumn.value_or("id"))
{}

Status ColumnScan::addId(const Record& record, std::int64_t row)
{
    if (m_idName.empty() || (!m_options.idColumn && !isId(record.find(m_idName))))
        return {};
    const auto id = idOf(record, m_idName);
    if (!id)
    {
        Error error = id.error();
        if (record.find(m_idName) == nullptr)
            error.message += "; --id-column names another column";
        return error;
    }
    ++m_withId;
    if (m_files.empty() || m_files.back().name != record.file)
        m_files.push_back({record.file, record.isRow});
    const auto [before, isNew] =
        m_ids.try_emplace(*id, IdPlace{static_cast<std::uint32_t>(m_files.size() - 1), record.line});
    if (isNew)
        return {};
    if (m_options.repeatedIds == RepeatedIds::Suffix)
    {
        m_repeatedIds.emplace_back(row, *id);
        return {};
    }
    const File& file = m_files[before->second.file];
    const Place first = {file.name, before->second.line, file.hasRows};
    std::string where = first.text();
    if (first.file != record.file || where.empty())
        where = where.empty() ? first.file : first.file + ": " + where;
    Error error = repeatedId(record, *id, where);
    error.message +=
        "; --id-column '' uses the row numbers, --duplicate-ids suffix makes \"" + *id + "-2\" of the second";
    return error;
}

std::unordered_map<std::int64_t, std::string> ColumnScan::suffixedIds() const
{
    std::unordered_map<std::int64_t, std::string> names;
    std::unordered_map<std::string, int> numbers; ///< the last that an id got
    std::unordered_set<std::string> made;
    for (const auto& [row, id] : m_repeatedIds)
    {
        int& number = numbers.try_emplace(id, 1).first->second;
        std::string name;
        do
            name = fmt::format("{}-{}", id, ++number);
        while (m_ids.contains(name) || !made.insert(name).second);
        names.emplace(row, std::move(name));
    }
    return names;
}

Status ColumnScan::addLabels(const Record& record, const std::vector<std::string>& names)
{
    for (const std::string& name : names)
    {
        HEADSCOPE_CHECK(checkLabel(record, name));
        const RecordField* field = record.find(name);
        if (field != nullptr && field->listed > 1)
            ++m_severalLabels[name];
    }
    return {};
}

Status ColumnScan::addNumbers(const Record& record)
{
    const auto& names = m_options.numberColumns ? *m_options.numberColumns : m_options.numbersIfThere;
    for (const std::string& name : names)
        HEADSCOPE_CHECK(m_numbers[name].add(record, name));
    return {};
}

void ColumnScan::addColumns(const Record& record)
{
    for (const RecordField& field : record.fields)
    {
        const auto [known, isNew] = m_columnByName.try_emplace(field.name, m_columns.size());
        if (isNew)
            m_columns.push_back(
                {field.name, {record.file, record.line, record.isRow}, fieldWord(record), 0, true, true, {}});
        Column& column = m_columns[known->second];
        if (field.kind == FieldKind::Null || (field.kind != FieldKind::Nested && field.text.empty()))
            continue;
        ++column.present;
        column.textOnly = column.textOnly && field.kind == FieldKind::Text;
        column.wholeOnly = column.wholeOnly && field.kind == FieldKind::Number && isWhole(field.text);
        if ((column.textOnly || column.wholeOnly) && std::ssize(column.values) <= kMaxLabelValues)
            column.values.insert(field.text);
    }
}

Status ColumnScan::add(const Record& record, std::int64_t row)
{
    if (const auto text = textIn(record, m_options.textColumn); !text) // looked at, not copied
    {
        Error error = text.error();
        if (record.find(m_options.textColumn) == nullptr)
            error.message += "; --text-column names another column";
        return error;
    }
    HEADSCOPE_CHECK(addId(record, row));
    if (m_options.labelColumns)
        HEADSCOPE_CHECK(addLabels(record, *m_options.labelColumns));
    else if (m_options.labelsIfThere)
        HEADSCOPE_CHECK(addLabels(record, *m_options.labelsIfThere));
    HEADSCOPE_CHECK(addNumbers(record));
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
    HEADSCOPE_TRY(auto names, wantedColumns());
    const auto numbers = numberNames();
    HEADSCOPE_CHECK(checkThere(numbers, "column of numbers"));
    for (const std::string& name : numbers)
        if (std::ranges::find(names, name) != names.end())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected columns either of labels or of numbers, found \"{}\" as both", name),
                         {},
                         {}};
    names.insert(names.end(), numbers.begin(), numbers.end());
    HEADSCOPE_CHECK(checkNames(names));
    return names;
}

Status ColumnScan::checkNames(const std::vector<std::string>& names) const
{
    std::map<std::string, const Column*> steps;
    for (const std::string& name : names)
    {
        const Column& column = m_columns[m_columnByName.find(name)->second];
        const auto bad = [&column](std::string message) -> Error {
            const Place& first = column.first;
            return {ErrorCode::BadFormat, std::move(message), first.file, first.text()};
        };
        if (name.empty())
            return bad(fmt::format("expected a name for each {} of labels, found an empty name (\"\"); fill it in, or "
                                   "select other labels with --label-columns",
                                   column.word));
        if (name.find('\0') != std::string::npos)
            return bad(fmt::format("expected a name without NUL (U+0000) for the {} of labels, found \"{}\"; rename "
                                   "it, or select other labels with --label-columns",
                                   column.word, withoutNul(name)));
        const auto [other, isNew] = steps.try_emplace(schema::stepFromName(name), &column);
        if (!isNew)
            return bad(fmt::format(
                "expected {}s of labels with different names when / is written %2F, found \"{}\" and \"{}\"",
                column.word, other->second->name, name));
    }
    return {};
}

Status ColumnScan::checkThere(const std::vector<std::string>& names, std::string_view what) const
{
    for (const std::string& name : names)
    {
        if (m_columnByName.contains(name))
            continue;
        std::vector<std::string> found;
        for (const Column& column : m_columns)
            found.push_back(column.name);
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a {} \"{}\", found the columns {}", what, name, fmt::join(found, ", ")),
                     {},
                     {}};
    }
    return {};
}

std::vector<std::string> ColumnScan::labelNotices(std::span<const std::string> labels) const
{
    std::vector<std::string> notices;
    for (const std::string& name : labels)
    {
        std::vector<std::string> found;
        for (const std::string_view none : kNoValue)
            if (m_columns[m_columnByName.find(name)->second].values.contains(std::string(none)))
                found.push_back(fmt::format("\"{}\"", none));
        if (!found.empty())
            notices.push_back(fmt::format("{} in \"{}\" are labels like any other; if they mean that there is no "
                                          "label, use a --label-map of {{{}: null}}",
                                          fmt::join(found, " and "), name, fmt::join(found, ": null, ")));
    }
    if (!labels.empty() || m_options.labelColumns || m_options.labelsIfThere)
        return notices;
    const auto numbers = numberNames();
    const auto ids = idColumn();
    for (const Column& column : m_columns)
        if (column.wholeOnly && column.name != ids && column.name != m_options.textColumn &&
            std::ranges::find(numbers, column.name) == numbers.end() &&
            makesLabels(column.present, std::ssize(column.values), true))
            notices.push_back(fmt::format("\"{0}\" holds integers, which are not used as labels by default; "
                                          "--label-columns {0} takes them, and a --label-map gives them names",
                                          column.name));
    return notices;
}

std::vector<std::string> ColumnScan::numberNames() const
{
    if (m_options.numberColumns)
        return *m_options.numberColumns;
    std::vector<std::string> names = m_options.numbersIfThere;
    std::erase_if(names, [this](const std::string& name) { return !m_columnByName.contains(name); });
    return names;
}

Result<std::vector<std::string>> ColumnScan::wantedColumns() const
{
    if (m_options.labelColumns)
    {
        HEADSCOPE_CHECK(checkThere(*m_options.labelColumns, "label column"));
        return *m_options.labelColumns;
    }
    std::vector<std::string> names;
    const auto numbers = numberNames();
    const auto& known = m_options.labelsIfThere;
    const auto ids = idColumn();
    for (const Column& column : m_columns)
    {
        if (known && std::find(known->begin(), known->end(), column.name) != known->end())
            names.push_back(column.name);
        if (known)
            continue;
        const bool isTaken = column.name == m_options.textColumn || column.name == ids ||
                             std::ranges::find(numbers, column.name) != numbers.end();
        if (!isTaken && makesLabels(column.present, std::ssize(column.values), column.textOnly))
            names.push_back(column.name);
    }
    return names;
}

} // namespace headscope
