// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/label_join.h"

#include "model/data/documents/document_numbers.h"
#include "model/data/documents/id_rows.h"

#include <algorithm>
#include <utility>

namespace headscope
{
namespace
{

/// More different values than these are no groups that an eye could tell apart.
constexpr std::size_t kMaxCategories = 1000;

std::int64_t matchesOf(const DocumentSet& documents, const std::vector<std::string>& ids)
{
    const IdRows rows(ids);
    return std::ranges::count_if(documents.ids, [&rows](const std::string& id) { return rows.row(id) >= 0; });
}

std::size_t bestIdColumn(const DocumentSet& documents, const LabelTable& table)
{
    std::size_t best = 0;
    std::int64_t most = -1;
    for (std::size_t column = 0; column < table.columns.size(); ++column)
    {
        // Twice the count, and one more for the name that ids usually have.
        const std::int64_t worth =
            2 * matchesOf(documents, table.values[column]) + (table.columns[column] == "id" ? 1 : 0);
        if (worth <= most)
            continue;
        most = worth;
        best = column;
    }
    return best;
}

JoinedColumn joinedColumn(const DocumentSet& documents, const std::string& name, const std::vector<std::string>& values,
                          const std::vector<std::int64_t>& rowOf)
{
    std::vector<std::string> ofDocument;
    ofDocument.reserve(rowOf.size());
    for (const std::int64_t row : rowOf)
        ofDocument.push_back(row < 0 ? std::string() : values[static_cast<std::size_t>(row)]);
    JoinedColumn joined;
    joined.name = name;
    joined.labels = makeLabelColumn(name, ofDocument);
    joined.isNumber = labelNumbers(joined.labels).has_value();
    joined.filled = std::ranges::count_if(joined.labels.codes, [](std::int32_t code) { return code >= 0; });
    joined.replaces = documents.label(name) != nullptr;
    const std::size_t different = joined.labels.categories.size();
    const bool ownForEach = different > 20 && 2 * static_cast<std::int64_t>(different) > joined.filled;
    joined.proposed = joined.filled > 0 && (joined.isNumber || (different <= kMaxCategories && !ownForEach));
    return joined;
}

} // namespace

LabelJoin joinLabels(const DocumentSet& documents, const LabelTable& table, const std::optional<std::string>& idColumn)
{
    LabelJoin join;
    join.file = table.file;
    join.allColumns = table.columns;
    join.rows = table.rows();
    if (table.columns.empty())
        return join;
    const auto asked = idColumn ? std::ranges::find(table.columns, *idColumn) : table.columns.end();
    const std::size_t idAt = asked != table.columns.end() ? static_cast<std::size_t>(asked - table.columns.begin())
                                                          : bestIdColumn(documents, table);
    join.idColumn = table.columns[idAt];
    const std::vector<std::string>& ids = table.values[idAt];
    const IdRows rows(ids);
    const IdRows documentOf(documents.ids);
    for (std::size_t row = 0; row < ids.size(); ++row)
    {
        const std::int64_t first = rows.row(ids[row]);
        if (first >= 0 && first != static_cast<std::int64_t>(row))
            ++join.repeated;
        else if (documentOf.row(ids[row]) < 0)
            join.rowsWithout.push_back(ids[row]);
    }
    std::vector<std::int64_t> rowOf;
    rowOf.reserve(documents.ids.size());
    for (const std::string& id : documents.ids)
    {
        rowOf.push_back(rows.row(id));
        if (rowOf.back() < 0)
            join.documentsWithout.push_back(id);
        else
            ++join.matched;
    }
    for (std::size_t column = 0; column < table.columns.size(); ++column)
    {
        if (column == idAt)
            continue;
        const std::string& name = table.columns[column];
        const auto numbers = table.numbers.find(name);
        const auto& values = numbers != table.numbers.end() ? numbers->second : table.values[column];
        join.columns.push_back(joinedColumn(documents, name, values, rowOf));
    }
    return join;
}

DocumentSet withJoined(const DocumentSet& documents, const LabelJoin& join, const std::vector<std::string>& names)
{
    DocumentSet joined = documents;
    for (const JoinedColumn& column : join.columns)
    {
        if (std::ranges::find(names, column.name) == names.end())
            continue;
        std::erase_if(joined.labels, [&column](const LabelColumn& each) { return each.name == column.name; });
        joined.labels.push_back(column.labels);
    }
    return joined;
}

} // namespace headscope
