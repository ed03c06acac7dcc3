// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/join_labels.h"

#include "model/io/texts/column_roles.h"
#include "model/io/texts/record_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// Puts a record's fields into the columns; new ones are filled up with nothing.
void addRow(LabelTable& table, std::map<std::string, std::size_t>& columnOf, const Record& record, std::size_t row)
{
    for (const RecordField& field : record.fields)
    {
        if (field.kind == FieldKind::Nested || field.kind == FieldKind::List)
            continue;
        const auto [place, isNew] = columnOf.try_emplace(field.name, table.columns.size());
        if (isNew)
        {
            table.columns.push_back(field.name);
            table.values.emplace_back();
        }
        auto& values = table.values[place->second];
        values.resize(row + 1);
        values[row] = field.kind == FieldKind::Null ? std::string() : field.text;
    }
    for (auto& values : table.values)
        values.resize(row + 1);
}

/// Finds the columns of numbers with decimal commas.
class CommaNumbers
{
public:
    void add(const Record& record, std::size_t row)
    {
        for (const RecordField& field : record.fields)
        {
            Column& column = m_columns[field.name];
            if (!column.isNumbers)
                continue;
            auto number = column.check.add(record, field.name);
            column.isNumbers = number.has_value();
            column.values.resize(row + 1);
            if (number)
                column.values[row] = std::move(*number);
        }
    }

    /// @param rows  of the table
    std::map<std::string, std::vector<std::string>> take(std::size_t rows)
    {
        std::map<std::string, std::vector<std::string>> numbers;
        for (auto& [name, column] : m_columns)
        {
            if (!column.isNumbers || !column.check.hasCommas())
                continue;
            column.values.resize(rows);
            numbers.emplace(name, std::move(column.values));
        }
        return numbers;
    }

private:
    struct Column
    {
        NumberCheck check;
        bool isNumbers = true;
        std::vector<std::string> values; ///< of the rows so far
    };
    std::map<std::string, Column> m_columns;
};

} // namespace

Result<std::shared_ptr<const LabelTable>> readLabelTable(const std::filesystem::path& path, JobContext& job)
{
    constexpr std::size_t kPoll = 1024;
    HEADSCOPE_TRY(const auto reader, openRecords(path, {}));
    auto table = std::make_shared<LabelTable>();
    table->file = path.string();
    std::map<std::string, std::size_t> columnOf;
    CommaNumbers numbers;
    Record record;
    std::size_t row = 0;
    for (;; ++row)
    {
        if (row % kPoll == 0)
        {
            HEADSCOPE_CHECK(job.checkStop());
            job.report("reading labels", row, 0, "rows");
        }
        HEADSCOPE_TRY(const bool more, reader->next(record));
        if (!more)
            break;
        addRow(*table, columnOf, record, row);
        numbers.add(record, row);
    }
    table->numbers = numbers.take(row);
    if (row == 0)
        return Error{ErrorCode::BadFormat, "expected a row for each document, found none", path.string(), {}};
    if (table->columns.size() < 2)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected a column of ids and at least one column of labels, found {}",
                                 table->columns.empty() ? "none" : "\"" + table->columns.front() + "\" alone"),
                     path.string(),
                     {}};
    return std::shared_ptr<const LabelTable>(std::move(table));
}

std::shared_ptr<const ui::CacheOverview> joinedOverview(const ui::CacheOverview& overview, const LabelJoin& join,
                                                        const std::vector<std::string>& names)
{
    auto joined = std::make_shared<ui::CacheOverview>(overview);
    joined->documents = std::make_shared<const DocumentSet>(withJoined(*overview.documents, join, names));
    std::erase_if(joined->topicColumns,
                  [&names](const std::string& column) { return std::ranges::find(names, column) != names.end(); });
    return joined;
}

} // namespace headscope::desktop
