// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <arrow/memory_pool.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace parquet::arrow
{
class FileReader;
}

namespace headscope
{

/// A Parquet file whose footer was read and believed.
struct ParquetFile
{
    ParquetFile();
    ParquetFile(const ParquetFile&) = delete;
    ParquetFile& operator=(const ParquetFile&) = delete;
    ~ParquetFile();

    std::unique_ptr<arrow::MemoryPool> pool; ///< of at most kMaxArrowBytes; outlives the reader
    std::unique_ptr<parquet::arrow::FileReader> reader;
    std::vector<std::int64_t> starts; ///< first row of every row group, and behind the last

    [[nodiscard]] std::int64_t numRows() const { return starts.back(); }
    [[nodiscard]] int numGroups() const { return static_cast<int>(starts.size()) - 1; }
};

/// Opens a file by Arrow, which checks the checksums of pages that have one and reads columns in small pieces.
/// @errors FileNotFound, Resource, BadFormat (no Parquet, a footer that is cut off, damaged or contradicts itself),
///         Unsupported (encrypted)
[[nodiscard]] Result<std::unique_ptr<ParquetFile>> openParquetFile(const std::filesystem::path& path);

} // namespace headscope
