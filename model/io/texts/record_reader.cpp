// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/record_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{

const Field* Record::find(std::string_view name) const
{
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

std::string Record::place() const
{
    return line > 0 ? fmt::format("line {}", line) : std::string();
}

Result<std::unique_ptr<RecordReader>> openRecords(const std::filesystem::path& path, const RecordOptions& options)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return openTextFolder(path, options);
    std::filesystem::path bare = path.filename();
    if (bare.extension() == ".gz" || bare.extension() == ".zst")
        bare = bare.stem();
    const std::string ending = bare.extension().string();
    if (ending == ".jsonl" || ending == ".ndjson")
        return openJsonLines(path);
    if (ending == ".json")
        return openJsonArray(path);
    if (ending == ".csv" || ending == ".tsv")
        return openCsv(path, ending == ".csv" ? ',' : '\t');
    if (ending == ".txt")
        return openText(path, options);
    if (!std::filesystem::exists(path, ignored))
        return Error{ErrorCode::FileNotFound, "expected a file or folder of documents, found none", path.string(), {}};
    if (ending == ".parquet")
        return Error{ErrorCode::Unsupported, "built without Parquet; convert to JSONL or CSV", path.string(), {}};
    return Error{ErrorCode::Unsupported,
                 fmt::format("expected .jsonl, .json, .csv, .tsv or .txt (also with .gz or .zst), a folder or -, "
                             "found {}",
                             ending.empty() ? "a name without an ending" : ending),
                 path.string(),
                 {}};
}

} // namespace headscope
