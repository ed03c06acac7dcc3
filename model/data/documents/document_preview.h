// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// Largest number of distinct values of a column that counts as labels by default.
inline constexpr std::int64_t kMaxLabelValues = 100;

/// Whether a column counts as labels by default: text alone, at most kMaxLabelValues different values, and fewer
/// of them than there are documents with a value (a column of titles is none).
/// @param present    documents with a value
/// @param different  of these values; may be counted up to kMaxLabelValues + 1
[[nodiscard]] bool makesLabels(std::int64_t present, std::int64_t different, bool textOnly);

/// What a column of documents is good for, as far as its rows were read.
struct ColumnFacts
{
    std::string name;
    std::int64_t present = 0;   ///< rows that have a value
    std::int64_t different = 0; ///< of these values, counted up to kMaxLabelValues + 1
    bool textOnly = true;       ///< no value is a number, an array or an object
    bool inner = false;         ///< inside another, under a dotted name: never taken unless it is named
    double meanLength = 0;      ///< bytes of a value
    /// Why it cannot be the text, the id, a label, a number: the first row that forbids it. None: it can.
    std::optional<Error> notText;
    std::optional<Error> notId;
    std::optional<Error> notLabel;
    std::optional<Error> notNumber;
};

struct PreviewRow
{
    std::int64_t line = 0;          ///< of the file; 0 where it has no lines
    std::vector<std::string> cells; ///< one for each column, long ones cut
};

/// The first rows of a file of documents, and what its columns are good for.
struct DocumentPreview
{
    std::string file;
    std::vector<ColumnFacts> columns;
    std::vector<PreviewRow> rows;
    std::int64_t rowsRead = 0;  ///< more than are kept in `rows`
    bool whole = false;         ///< there are no rows beyond those that were read
    bool plainText = false;     ///< .txt or a folder of them: the text has no column of its own
    std::int64_t repaired = 0;  ///< rows that were not UTF-8 throughout
    std::optional<Error> fault; ///< reading ended at a row that cannot be read
};

/// What a column is used as.
enum class ColumnRole
{
    Unused,
    Text,
    Id,
    Label,
    Number,
};

/// The role of each column by default, as an extraction without column options takes them; without a column "text"
/// the column of the longest texts, without a column "id" one whose name suggests ids.
[[nodiscard]] std::vector<ColumnRole> guessedRoles(const DocumentPreview& preview);

/// Gives a column a role. There is one text and at most one id: the column that had the role gets its default one.
void setRole(const DocumentPreview& preview, std::vector<ColumnRole>& roles, std::size_t column, ColumnRole role);

/// The options that make an extraction take the columns as the roles say; those equal to its defaults are left out.
struct ColumnChoice
{
    std::string text = "text";
    std::optional<std::string> id;                  ///< none: "id", or row numbers; "": row numbers
    std::optional<std::vector<std::string>> labels; ///< none: as makesLabels() says of all documents
    std::vector<std::string> numbers;
};
[[nodiscard]] ColumnChoice columnChoice(const DocumentPreview& preview, const std::vector<ColumnRole>& roles);

/// The first row that contradicts the roles; nothing where none does.
[[nodiscard]] std::optional<Error> roleFault(const DocumentPreview& preview, const std::vector<ColumnRole>& roles);

} // namespace headscope
