// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

enum class FieldKind
{
    Null,
    Text,
    Number, ///< numbers and true/false, as text
    Nested, ///< arrays and objects; their contents are not kept
};

struct Field
{
    std::string name;
    FieldKind kind = FieldKind::Null;
    std::string text;
};

/// One document as the file has it, before its columns get their roles.
struct Record
{
    std::vector<Field> fields;
    std::string file;
    std::int64_t line = 0; ///< from 1; 0 where the file is one document
    bool repaired = false; ///< something was not UTF-8 and became U+FFFD
    bool untyped = false;  ///< the format knows text alone (CSV): what looks like a number may be text

    [[nodiscard]] const Field* find(std::string_view name) const;
    /// "line 7", or "" where there are no lines.
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
};

struct RecordOptions
{
    std::string textColumn = "text"; ///< name of the field that plain texts are given
    bool lines = false;              ///< .txt: each line is a document
};

/// The reader for a file or folder, by its ending.
///
/// .jsonl, .ndjson: an object a line, empty lines skipped. .json: an array of objects. .csv, .tsv:
/// RFC 4180 with a header line; a .csv whose header has no comma is separated by
/// its semicolons or tabs. .txt: one document, its id the file name; with `lines` one a line.
/// A folder: every .txt below it, in the order of the names; id = path below the folder, field
/// "folder" = the first folder on that path. All but folders also with .gz and .zst behind.
/// @errors FileNotFound, Unsupported (an ending that is not read; .parquet), BadFormat
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openRecords(const std::filesystem::path& path,
                                                                const RecordOptions& options);

/// The reader for JSONL, whatever the file is called (standard input).
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openJsonLines(const std::filesystem::path& path);

/// Readers by kind, for openRecords.
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openJsonArray(const std::filesystem::path& path);
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openCsv(const std::filesystem::path& path, char separator);
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openText(const std::filesystem::path& path,
                                                             const RecordOptions& options);
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openTextFolder(const std::filesystem::path& path,
                                                                   const RecordOptions& options);

} // namespace headscope
