// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/join_labels.h"

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
    for (const Field& field : record.fields)
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

} // namespace

Result<std::shared_ptr<const LabelTable>> readLabelTable(const std::filesystem::path& path, JobContext& job)
{
    constexpr std::size_t kPoll = 1024;
    HEADSCOPE_TRY(const auto reader, openRecords(path, {}));
    auto table = std::make_shared<LabelTable>();
    table->file = path.string();
    std::map<std::string, std::size_t> columnOf;
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
    }
    if (row == 0)
        return Error{ErrorCode::BadFormat, "expected a row for each document, found none", path.string(), {}};
    if (table->columns.size() < 2)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected a column of ids and one of labels at least, found {}",
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
