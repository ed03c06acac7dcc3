// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/documents/document_preview.h"
#include "model/io/texts/record_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headscope
{

struct DocumentOptions;

/// The text of a record's text field, which is the record's.
/// @errors BadFormat: no such field (with those there are), or one that is no text
[[nodiscard]] Result<const std::string*> textIn(const Record& record, const std::string& column);
/// A copy of it.
/// @errors as textIn
[[nodiscard]] Result<std::string> textOf(const Record& record, const std::string& column);

/// The id in a field of a record.
/// @errors BadFormat: no such field (with those there are), or one that is empty, an array or an object, or holds a NUL
[[nodiscard]] Result<std::string> idOf(const Record& record, const std::string& column);

/// The error of an id that another document has.
/// @param where  the other document: "line 7"
[[nodiscard]] Error repeatedId(const Record& record, const std::string& id, const std::string& where);

/// @errors BadFormat: the field is an object, or an array that holds something other than texts
[[nodiscard]] Status checkLabel(const Record& record, const std::string& column);

/// Watches whether a column holds numbers.
class NumberCheck
{
public:
    /// @return  the record's number with a decimal point, "" where it has none: no such field, null, an empty text,
    /// "nan"
    /// @errors  BadFormat: a value that is no number, or one with a decimal comma where others have a point
    [[nodiscard]] Result<std::string> add(const Record& record, const std::string& column);
    /// Whether there are numbers, with a decimal comma.
    [[nodiscard]] bool hasCommas() const { return !m_comma.empty(); }

private:
    std::string m_comma; ///< the first number with a decimal comma
    std::string m_point; ///< the first one with a point
};

/// Watches all records once, or those of a sample, and finds what the columns mean: are there ids, which columns are
/// labels.
class ColumnScan
{
public:
    explicit ColumnScan(const DocumentOptions& options);

    /// @param row  its number over all inputs, from 0
    /// @errors BadFormat: a record without text, without the id asked for, with an id that was there
    ///         before (both places named) unless it gets a suffix, with a label that checkLabel() refuses, or a number
    ///         that NumberCheck refuses
    [[nodiscard]] Status add(const Record& record, std::int64_t row);

    [[nodiscard]] std::int64_t count() const { return m_count; }
    /// Documents in which something was repaired.
    [[nodiscard]] std::int64_t repaired() const { return m_repaired; }
    /// The column of the ids; nothing: row numbers.
    [[nodiscard]] std::optional<std::string> idColumn() const;
    /// Whether some documents have an id and others have none.
    [[nodiscard]] bool idsIncomplete() const;
    /// New ids of the rows whose id an earlier row has (DocumentOptions::repeatedIds): "x-2", "x-3", each one that no
    /// other document has.
    [[nodiscard]] std::unordered_map<std::int64_t, std::string> suffixedIds() const;
    /// Label columns in which some documents have several texts, with their number.
    [[nodiscard]] const std::map<std::string, std::int64_t>& severalLabels() const { return m_severalLabels; }
    /// The label columns, in the order in which they were first met, then those of numbers.
    /// @errors InvalidArgument: a column that was asked for is in no document, or asked for as both; BadFormat: one
    /// without a name, with a NUL
    ///         in it, or that a cache cannot tell from another
    [[nodiscard]] Result<std::vector<std::string>> labelColumns() const;
    /// What a user should know of the chosen label columns, a sentence each: values that other programs write where
    /// there is none; whole numbers that could be labels where there are no others.
    /// @param labels  of labelColumns(), without those of numbers
    [[nodiscard]] std::vector<std::string> labelNotices(std::span<const std::string> labels) const;
    /// How many of labelColumns() are numbers: the last ones.
    [[nodiscard]] std::size_t numNumbers() const { return numberNames().size(); }

private:
    struct Place
    {
        std::string file;
        std::int64_t line = 0;
        bool isRow = false;

        [[nodiscard]] std::string text() const; ///< "line 7"
    };
    struct File
    {
        std::string name;
        bool hasRows = false; ///< and no lines
    };
    /// The same in little: there is one a document.
    struct IdPlace
    {
        std::uint32_t file = 0; ///< in m_files
        std::int64_t line = 0;
    };
    struct Column
    {
        std::string name;
        Place first;           ///< where it was met
        std::string_view word; ///< what the file calls it
        std::int64_t present = 0;
        bool textOnly = true;
        bool wholeOnly = true;        ///< whole numbers
        std::set<std::string> values; ///< at most one more than make a label
    };

    [[nodiscard]] Status addId(const Record& record, std::int64_t row);
    [[nodiscard]] Status addLabels(const Record& record, const std::vector<std::string>& names);
    void addColumns(const Record& record);
    [[nodiscard]] Status addNumbers(const Record& record);
    [[nodiscard]] Result<std::vector<std::string>> wantedColumns() const;
    [[nodiscard]] std::vector<std::string> numberNames() const;
    [[nodiscard]] Status checkThere(const std::vector<std::string>& names, std::string_view what) const;
    [[nodiscard]] Status checkNames(const std::vector<std::string>& names) const;

    const DocumentOptions& m_options;
    std::string m_idName;
    std::int64_t m_count = 0;
    std::int64_t m_repaired = 0;
    std::int64_t m_withId = 0;
    std::vector<File> m_files; ///< in the order of the records
    std::unordered_map<std::string, IdPlace> m_ids;
    std::vector<std::pair<std::int64_t, std::string>> m_repeatedIds; ///< by row
    std::map<std::string, std::int64_t> m_severalLabels;
    std::map<std::string, NumberCheck> m_numbers; ///< by column
    std::vector<Column> m_columns;
    std::map<std::string, std::size_t> m_columnByName;
};

} // namespace headscope
