// SPDX-License-Identifier: GPL-3.0-or-later
// Records from plain texts: a file, its lines, or the files of a folder.
#include "model/base/folder_entries.h"
#include "model/base/utf8.h"
#include "model/io/texts/byte_source.h"
#include "model/io/texts/record_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

/// Bytes that are no text become U+FFFD; NUL among them.
bool repair(std::string& text)
{
    const bool repaired = repairUtf8(text);
    return replaceNul(text) || repaired;
}

class TextReader : public RecordReader
{
public:
    TextReader(ByteReader bytes, const RecordOptions& options, std::string id)
        : m_bytes(std::move(bytes)), m_options(options), m_id(std::move(id))
    {}

    Result<bool> next(Record& record) override
    {
        if (m_done)
            return false;
        std::string text;
        record.file = m_bytes.name();
        record.line = m_options.lines ? m_bytes.lineNumber() : 0;
        if (m_options.lines)
        {
            m_done = !m_bytes.line(text);
        }
        else
        {
            m_bytes.rest(text);
        }
        HEADSCOPE_CHECK(m_bytes.status());
        if (m_done)
            return false;
        record.repaired = repair(text);
        record.fields = {{m_options.textColumn, FieldKind::Text, std::move(text)}};
        if (!m_options.lines)
        {
            m_done = true;
            record.fields.push_back({"id", FieldKind::Text, m_id});
        }
        return true;
    }

private:
    ByteReader m_bytes;
    RecordOptions m_options;
    std::string m_id;
    bool m_done = false;
};

class FolderReader : public RecordReader
{
public:
    FolderReader(std::filesystem::path folder, std::vector<std::filesystem::path> files, RecordOptions options)
        : m_folder(std::move(folder)), m_files(std::move(files)), m_options(std::move(options))
    {
        m_options.lines = false;
    }

    Result<bool> next(Record& record) override
    {
        if (m_next == m_files.size())
            return false;
        const auto& path = m_files[m_next++];
        const std::filesystem::path below = path.lexically_relative(m_folder);
        HEADSCOPE_TRY(auto source, openByteSource(path));
        TextReader reader(ByteReader(std::move(source), path.string()), m_options, below.generic_string());
        HEADSCOPE_CHECK(reader.next(record));
        const bool inFolder = below.has_parent_path();
        record.fields.push_back({"folder", FieldKind::Text, inFolder ? below.begin()->string() : std::string()});
        return true;
    }

private:
    std::filesystem::path m_folder;
    std::vector<std::filesystem::path> m_files;
    RecordOptions m_options;
    std::size_t m_next = 0;
};

bool isText(const std::filesystem::path& path)
{
    const auto ending = path.extension();
    return ending == ".txt" || ((ending == ".gz" || ending == ".zst") && path.stem().extension() == ".txt");
}

} // namespace

Result<std::unique_ptr<RecordReader>> openText(const std::filesystem::path& path, const RecordOptions& options)
{
    HEADSCOPE_TRY(auto source, openByteSource(path));
    return std::unique_ptr<RecordReader>(
        std::make_unique<TextReader>(ByteReader(std::move(source), path.string()), options, path.filename().string()));
}

Result<std::unique_ptr<RecordReader>> openTextFolder(const std::filesystem::path& path, const RecordOptions& options)
{
    std::vector<std::filesystem::path> files;
    std::error_code failed;
    for (const auto& entry : entriesOf(path, FolderDepth::Subtree, failed))
    {
        std::error_code ignored;
        if (entry.is_regular_file(ignored) && isText(entry.path()))
            files.push_back(entry.path());
    }
    if (failed)
        return Error{ErrorCode::Resource, "reading the folder failed: " + failed.message(), path.string(), {}};
    if (files.empty())
        return Error{ErrorCode::BadFormat, "expected .txt files in this folder, found none", path.string(), {}};
    std::sort(files.begin(), files.end());
    return std::unique_ptr<RecordReader>(std::make_unique<FolderReader>(path, std::move(files), options));
}

} // namespace headscope
