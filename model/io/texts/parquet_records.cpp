// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/texts/parquet_records.h"

#include "model/base/folder_entries.h"
#include "model/base/utf8.h"
#include "model/io/parquet/parquet_module.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace headscope
{
namespace
{

constexpr const char* kModule = "headscope_parquet.so";

/// The module, loaded once; it stays for the life of the process. The loader looks for it where the
/// program's run path points: beside it in a build, in the library folder once installed.
Result<const ParquetModule*> parquetModule()
{
    static const Result<const ParquetModule*> loaded = []() -> Result<const ParquetModule*> {
        void* library = dlopen(kModule, RTLD_NOW | RTLD_LOCAL);
        const auto* module =
            library == nullptr ? nullptr : static_cast<const ParquetModule*>(dlsym(library, "headscopeParquetModule"));
        if (module != nullptr)
            return module;
        const char* reason = dlerror(); // NOLINT(concurrency-mt-unsafe): glibc keeps it by thread
        const std::string_view why = reason != nullptr ? reason : "no reason given";
        if (why.starts_with(kModule)) // itself, and not a library that it needs
            return Error{ErrorCode::Unsupported, "built without Parquet; convert to JSONL or CSV", {}, {}};
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected {}, which reads Parquet, found it damaged ({}); convert to JSONL or CSV",
                                 kModule, why),
                     {},
                     {}};
    }();
    return loaded;
}

/// "a%20b" as "a b": Hive writes what may not stand in a name like this.
std::string percentDecoded(std::string_view text)
{
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        unsigned value = 0;
        const char* const digits = text.data() + i + 1;
        const bool coded =
            text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2;
        decoded += coded ? static_cast<char>(value) : text[i];
        i += coded ? 2 : 0;
    }
    return decoded;
}

/// The columns that the folders on a path stand for: of lang=en/part.parquet "lang" with the value "en" (Hive, Spark).
std::vector<RecordField> partitionsOf(const std::filesystem::path& below)
{
    std::vector<RecordField> fields;
    for (const auto& step : below.parent_path())
    {
        const std::string name = step.string();
        const std::size_t equals = name.find('=');
        if (equals == std::string::npos || equals == 0)
            continue;
        std::string value = percentDecoded(std::string_view(name).substr(equals + 1));
        const bool none = value == "__HIVE_DEFAULT_PARTITION__" || !isValidUtf8(value);
        fields.push_back({percentDecoded(std::string_view(name).substr(0, equals)),
                          none ? FieldKind::Null : FieldKind::Text, none ? std::string() : std::move(value)});
    }
    return fields;
}

/// What is read of a file whose folders stand for columns: the folders win.
RecordOptions storedOf(RecordOptions options, const std::vector<RecordField>& partitions)
{
    if (options.columns)
        for (const RecordField& field : partitions)
            std::erase(*options.columns, field.name);
    return options;
}

/// Several files one after another.
class ChainReader : public RecordReader
{
public:
    ChainReader(std::filesystem::path folder, std::vector<std::filesystem::path> files, std::int64_t records,
                RecordOptions options)
        : m_folder(std::move(folder)), m_files(std::move(files)), m_records(records), m_options(std::move(options))
    {}

    Result<bool> next(Record& record) override
    {
        while (true)
        {
            HEADSCOPE_TRY(const bool more, open());
            if (!more)
                return false;
            HEADSCOPE_TRY(const bool any, m_reader->next(record));
            if (any)
            {
                for (const RecordField& field : m_partitions)
                {
                    std::erase_if(record.fields, [&field](const RecordField& own) { return own.name == field.name; });
                    record.fields.push_back(field);
                }
                return true;
            }
            m_reader.reset();
        }
    }
    [[nodiscard]] std::optional<std::int64_t> count() const override { return m_records; }
    Result<std::int64_t> skip(std::int64_t most) override
    {
        std::int64_t skipped = 0;
        while (skipped < most)
        {
            HEADSCOPE_TRY(const bool more, open());
            if (!more)
                break;
            HEADSCOPE_TRY(const std::int64_t here, m_reader->skip(most - skipped));
            skipped += here;
            if (here == 0)
                m_reader.reset();
        }
        return skipped;
    }

private:
    /// Opens the next file where none is open; false behind the last.
    Result<bool> open()
    {
        if (m_reader)
            return true;
        if (m_next == m_files.size())
            return false;
        const std::filesystem::path& file = m_files[m_next++];
        m_partitions = partitionsOf(file.lexically_relative(m_folder));
        HEADSCOPE_TRY(m_reader, openParquet(file, storedOf(m_options, m_partitions)));
        return true;
    }

    std::filesystem::path m_folder;
    std::vector<std::filesystem::path> m_files;
    std::vector<RecordField> m_partitions; ///< of the file that is open
    std::int64_t m_records = 0;
    RecordOptions m_options;
    std::size_t m_next = 0;
    std::unique_ptr<RecordReader> m_reader;
};

} // namespace

Result<std::unique_ptr<RecordReader>> openParquet(const std::filesystem::path& path, const RecordOptions& options)
{
    const auto module = parquetModule();
    if (!module)
        return Error(module.error()).inFile(path.string());
    auto reader = (*module)->open(path, options);
    if (!reader)
        return std::move(reader).error().inFile(path.string());
    return reader;
}

std::vector<std::filesystem::path> parquetFilesBelow(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code failed;
    for (const auto& entry : entriesOf(folder, FolderDepth::Subtree, failed))
    {
        std::error_code ignored;
        if (entry.path().extension() == ".parquet" && entry.is_regular_file(ignored))
            files.push_back(entry.path());
    }
    if (failed)
        return {};
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::unique_ptr<RecordReader>> openParquetFiles(const std::filesystem::path& folder,
                                                       const std::vector<std::filesystem::path>& files,
                                                       const RecordOptions& options)
{
    std::int64_t records = 0;
    for (const auto& file : files) // their footers say how many; each is closed again
    {
        HEADSCOPE_TRY(const auto reader,
                      openParquet(file, storedOf(options, partitionsOf(file.lexically_relative(folder)))));
        records += reader->count().value_or(0);
    }
    return std::unique_ptr<RecordReader>(std::make_unique<ChainReader>(folder, files, records, options));
}

Result<std::string> arrowVersion()
{
    HEADSCOPE_TRY(const ParquetModule* module, parquetModule());
    return std::string(module->version);
}

} // namespace headscope
