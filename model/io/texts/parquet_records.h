// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/io/texts/record_reader.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// Reads a Parquet file by Arrow, row group by row group.
/// @errors Unsupported (Arrow was not built in, or its module is broken; an encrypted file), FileNotFound, Resource,
///         BadFormat (no Parquet, a damaged footer)
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openParquet(const std::filesystem::path& path,
                                                                const RecordOptions& options);

/// The .parquet files below a folder, in the order of their names; none where the folder cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> parquetFilesBelow(const std::filesystem::path& folder);

/// Reads files below a folder one after another as if they were one. Folders called NAME=VALUE (Hive, Spark) are
/// columns of the rows below them, where the files have none of that name.
/// @errors those of openParquet
[[nodiscard]] Result<std::unique_ptr<RecordReader>> openParquetFiles(const std::filesystem::path& folder,
                                                                     const std::vector<std::filesystem::path>& files,
                                                                     const RecordOptions& options);

/// Version of the Arrow library that reads Parquet here.
/// @errors Unsupported: there is none, and why
/// @cost   loads the library once: 60 MB of address space, 20 ms
[[nodiscard]] Result<std::string> arrowVersion();

} // namespace headscope
