// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/parquet/parquet_file.h"

#include "model/base/file.h"
#include "model/io/parquet/arrow_guard.h"

#include <fmt/format.h>

#include <arrow/io/file.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace headscope
{
namespace
{

constexpr std::uint64_t kMagicBytes = 4;
constexpr std::uint64_t kTailBytes = 8; ///< length of the footer, magic

Error damaged(std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), {}, {}};
}

/// Says in its own words what is wrong at the two ends of the file.
Status checkEnds(const File& file)
{
    if (file.size() < kMagicBytes + kTailBytes)
        return damaged(fmt::format("expected Parquet, found a file of {} bytes: it is truncated", file.size()));
    std::array<std::byte, kMagicBytes> head{};
    std::array<std::byte, kTailBytes> tail{};
    HEADSCOPE_CHECK(file.readAt(0, head));
    HEADSCOPE_CHECK(file.readAt(file.size() - kTailBytes, tail));
    const std::string_view first(reinterpret_cast<const char*>(head.data()), kMagicBytes);
    const std::string_view last(reinterpret_cast<const char*>(tail.data()) + kMagicBytes, kMagicBytes);
    if (last == "PARE")
        return Error{ErrorCode::Unsupported, "expected unencrypted Parquet, found an encrypted file", {}, {}};
    if (first != "PAR1")
        return damaged("expected Parquet, found a file that does not start with PAR1");
    if (last != "PAR1")
        return damaged("expected Parquet, found a file that does not end with PAR1: it is truncated or damaged");
    std::uint32_t footer = 0;
    std::memcpy(&footer, tail.data(), sizeof footer);
    if (footer > file.size() - kMagicBytes - kTailBytes)
        return damaged(fmt::format("expected a footer inside the file of {} bytes, found a footer of {} bytes: the "
                                   "file is truncated or damaged",
                                   file.size(), footer));
    return {};
}

parquet::ReaderProperties fileProperties(arrow::MemoryPool* pool)
{
    constexpr std::int64_t kPiece = 256 << 10;
    parquet::ReaderProperties properties(pool);
    properties.enable_buffered_stream(); // else a column of a row group is in memory as a whole, however large
    properties.set_buffer_size(kPiece);
    properties.set_page_checksum_verification(true);
    return properties;
}

parquet::ArrowReaderProperties arrowProperties()
{
    parquet::ArrowReaderProperties properties;
    properties.set_pre_buffer(false); // as above
    properties.set_use_threads(false);
    return properties;
}

/// The first row of every row group, from counts that agree with each other and with the size of the file.
Result<std::vector<std::int64_t>> groupStarts(const parquet::FileMetaData& footer, std::uint64_t fileBytes)
{
    // Rows that hold a text take more; what was made to lie must not make us reserve memory for it.
    constexpr std::int64_t kRowsOfAnyFile = std::int64_t{1} << 24;
    const auto most = std::max(kRowsOfAnyFile, static_cast<std::int64_t>(fileBytes) * 8);
    std::vector<std::int64_t> starts = {0};
    for (int group = 0; group < footer.num_row_groups(); ++group)
    {
        const std::int64_t rows = footer.RowGroup(group)->num_rows();
        if (rows < 0 || rows > most - starts.back())
            return damaged(fmt::format(
                "expected a number of rows that a file of {} bytes can hold, found {} in the footer for row group {}",
                fileBytes, rows, group + 1));
        starts.push_back(starts.back() + rows);
    }
    if (footer.num_rows() != starts.back())
        return damaged(fmt::format("expected {} rows as the footer says, found {} in its row groups", footer.num_rows(),
                                   starts.back()));
    return starts;
}

Result<std::unique_ptr<ParquetFile>> open(const File& file)
{
    auto opened = std::make_unique<ParquetFile>();
    const int descriptor = ::dup(file.descriptor());
    if (descriptor < 0)
        return systemError(errno, file.path(), "opening");
    auto bytes = arrow::io::ReadableFile::Open(descriptor, opened->pool.get()); // closes it, also where it fails
    if (!bytes.ok())
        return arrowError(bytes.status());
    parquet::arrow::FileReaderBuilder builder;
    if (const auto status = builder.Open(*bytes, fileProperties(opened->pool.get())); !status.ok())
        return arrowError(status);
    const auto footer = builder.raw_reader()->metadata();
    if (footer->is_encryption_algorithm_set())
        return Error{ErrorCode::Unsupported, "expected unencrypted Parquet, found an encrypted file", {}, {}};
    if (footer->num_columns() == 0)
        return damaged("expected columns, found a table without columns");
    HEADSCOPE_TRY(opened->starts, groupStarts(*footer, file.size()));
    builder.memory_pool(opened->pool.get());
    const auto properties = arrowProperties();
    builder.properties(properties);
    if (const auto status = builder.Build(&opened->reader); !status.ok())
        return arrowError(status);
    return opened;
}

} // namespace

ParquetFile::ParquetFile()
    : pool(std::make_unique<arrow::CappedMemoryPool>(arrow::system_memory_pool(), kMaxArrowBytes))
{}

ParquetFile::~ParquetFile()
{
    reader.reset();
}

Result<std::unique_ptr<ParquetFile>> openParquetFile(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(const File file, File::openForReading(path));
    if (Status ends = checkEnds(file); !ends)
        return std::move(ends).error().inFile(path.string());
    auto opened = arrowGuarded([&] { return open(file); });
    if (!opened)
        return std::move(opened).error().inFile(path.string());
    return opened;
}

} // namespace headscope
