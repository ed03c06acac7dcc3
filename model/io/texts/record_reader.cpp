// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/record_reader.h"

#include "model/io/texts/parquet_records.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{

const RecordField* Record::find(std::string_view name) const
{
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const RecordField& f) { return f.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

std::string Record::place() const
{
    return line > 0 ? fmt::format("{} {}", isRow ? "row" : "line", line) : std::string();
}

Result<std::unique_ptr<RecordReader>> openRecords(const std::filesystem::path& path, const RecordOptions& options)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        auto texts = openTextFolder(path, options);
        const auto tables = texts ? std::vector<std::filesystem::path>() : parquetFilesBelow(path);
        return tables.empty() ? std::move(texts) : openParquetFiles(path, tables, options);
    }
    std::filesystem::path bare = path.filename();
    if (bare.extension() == ".gz" || bare.extension() == ".zst")
        bare = bare.stem();
    const std::string ending = bare.extension().string();
    if (ending == ".jsonl" || ending == ".ndjson")
        return openJsonLines(path, options);
    if (ending == ".json")
        return openJsonArray(path, options);
    if (ending == ".csv" || ending == ".tsv")
        return openCsv(path, options.separator || ending == ".csv" ? options.separator : '\t');
    if (ending == ".txt")
        return openText(path, options);
    if (!std::filesystem::exists(path, ignored))
        return Error{ErrorCode::FileNotFound, "there is no such file or folder of documents", path.string(), {}};
    if (path.extension() == ".parquet")
        return openParquet(path, options);
    return Error{
        ErrorCode::Unsupported,
        fmt::format("expected .jsonl, .json, .csv, .tsv or .txt (also with .gz or .zst), .parquet, a folder or -, "
                    "found {}",
                    ending.empty() ? "a name without an ending" : ending),
        path.string(),
        {}};
}

} // namespace headscope
