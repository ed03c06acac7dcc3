// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

enum class FieldKind
{
    Null,
    Text,
    Number, ///< numbers and true/false, as text; of a CSV of semicolons also "3,14"
    List,   ///< an array of texts alone
    Nested, ///< other arrays, and objects; their contents are not kept
};

struct RecordField
{
    std::string name;
    FieldKind kind = FieldKind::Null;
    std::string text;       ///< of a list its first text, or all (RecordOptions::joinLists)
    std::size_t listed = 0; ///< of a list: how many texts
    bool isInner = false;   ///< found inside another (RecordOptions::inner)
};

/// One document as the file has it, before its columns get their roles.
struct Record
{
    std::vector<RecordField> fields;
    std::string file;
    std::int64_t line = 0; ///< from 1; 0 where the file is one document
    bool repaired = false; ///< something was not UTF-8 and became U+FFFD
    bool untyped = false;  ///< the format knows text alone (CSV): what looks like a number may be text
    bool isRow = false;    ///< of a table with types (Parquet): `line` is the number of its row

    [[nodiscard]] const RecordField* find(std::string_view name) const;
    /// "line 7" or "row 7", or "" where there are no lines.
    [[nodiscard]] std::string place() const;
};

/// Reads the records of one input one after another.
class RecordReader
{
public:
    virtual ~RecordReader() = default;
    /// @return  false at the end
    /// @errors  BadFormat naming the line, Resource
    [[nodiscard]] virtual Result<bool> next(Record& record) = 0;

    /// How many records there are in all, where the file says so without being read.
    [[nodiscard]] virtual std::optional<std::int64_t> count() const { return std::nullopt; }
    /// Passes over the next records without reading them, where the file allows it.
    /// @return  how many, at most `most`; 0 at the end, and where they have to be read
    /// @errors  those of next()
    [[nodiscard]] virtual Result<std::int64_t> skip(std::int64_t /*most*/) { return std::int64_t{0}; }
};

struct RecordOptions
{
    std::string textColumn = "text"; ///< name of the field that plain texts are given
    bool lines = false;              ///< .txt: each line is a document

    /// Names of fields inside others, which become fields of the record: "labels.section" is the member "section" of
    /// the object "labels", "categories.0" the first element of an array. A key that holds the dot comes before the
    /// path, the longer key before the shorter. A record without such a member has no such field. JSON and Parquet.
    std::vector<std::string> paths = {};
    bool joinLists = false; ///< the text of a list is all of its texts, with ", " between them; else the first

    /// Names of the only fields that are needed: Parquet does not read others, if it has all of these. Nothing: all.
    std::optional<std::vector<std::string>> columns = std::nullopt;
    std::vector<std::string> columnsIfThere = {}; ///< beside these, where the file has them
    /// What is inside objects becomes fields, too, under dotted names, down to kMaxInner levels and at most
    /// kMaxFields in all. JSON and Parquet.
    bool inner = false;

    /// What separates the fields of .csv and .tsv. Nothing: of .csv guessed (csv_separator.h), of .tsv a tab.
    std::optional<char> separator = std::nullopt;

    static constexpr int kMaxInner = 4;
    static constexpr std::size_t kMaxFields = 256;
};

/// The reader for a file or folder, by its ending.
///
/// .jsonl, .ndjson: an object a line, empty lines skipped. .json: an array of objects. .csv, .tsv:
/// RFC 4180 with a header line, separated by RecordOptions::separator. .txt: one document, its id the file name; with
/// `lines` one a line. A folder: every .txt below it, in the order of the names; id = path below the folder, field
/// "folder" = the first folder on that path. All but folders also with .gz and .zst behind.
/// .parquet, or a folder with such files below it and without .txt: their rows (parquet_records.h).
/// @errors FileNotFound, Unsupported (an ending that is not read; .parquet, built without it), BadFormat
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openRecords(const std::filesystem::path& path,
                                                                const RecordOptions& options);

/// The reader for JSONL, whatever the file is called (standard input).
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openJsonLines(const std::filesystem::path& path,
                                                                  const RecordOptions& options = {});

/// Readers by kind, for openRecords.
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openJsonArray(const std::filesystem::path& path,
                                                                  const RecordOptions& options = {});
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openCsv(const std::filesystem::path& path,
                                                            std::optional<char> separator);
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openText(const std::filesystem::path& path,
                                                             const RecordOptions& options);
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openTextFolder(const std::filesystem::path& path,
                                                                   const RecordOptions& options);

} // namespace headscope
