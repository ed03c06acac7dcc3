// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// A file of labels as it was read: columns of texts, "" where a row has nothing.
struct LabelTable
{
    std::string file;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> values; ///< [columns][rows]
    /// Columns whose values are all numbers, written with a decimal comma: their numbers in place of their texts.
    std::map<std::string, std::vector<std::string>> numbers{};

    [[nodiscard]] std::int64_t rows() const
    {
        return values.empty() ? 0 : static_cast<std::int64_t>(values.front().size());
    }
};

/// One column of such a file, laid out over the documents.
struct JoinedColumn
{
    std::string name;
    LabelColumn labels;      ///< the values as they stand, of LabelTable::numbers these
    bool isNumber = false;   ///< every value is a number: labelNumbers() reads it
    std::int64_t filled = 0; ///< documents that get a value
    bool replaces = false;   ///< a column of this name is there already
    /// Whether it makes a good column: not an id or a title of its own for nearly every document.
    bool proposed = true;
};

/// What joining a file to the documents would do, before it is done.
struct LabelJoin
{
    std::string file;
    std::string idColumn;                ///< its values are looked for among the documents' ids
    std::vector<std::string> allColumns; ///< any of which could hold the ids
    std::int64_t rows = 0;
    std::int64_t matched = 0;                  ///< documents that have a row
    std::vector<std::string> rowsWithout;      ///< ids of the file that no document has, in its order
    std::vector<std::string> documentsWithout; ///< ids of documents that the file lacks
    std::int64_t repeated = 0;                 ///< rows whose id came before; the first counts
    std::vector<JoinedColumn> columns;         ///< all but the id column
};

/// Lays the columns of a file out over the documents.
/// @param idColumn  nothing: the column that matches the most documents, "id" among equals
/// @cost O(rows x columns)
[[nodiscard]] LabelJoin joinLabels(const DocumentSet& documents, const LabelTable& table,
                                   const std::optional<std::string>& idColumn = {});

/// The documents with some of the join's columns, which replace columns of the same name.
[[nodiscard]] DocumentSet withJoined(const DocumentSet& documents, const LabelJoin& join,
                                     const std::vector<std::string>& names);

} // namespace headscope
