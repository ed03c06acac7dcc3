// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/io/texts/record_reader.h"

#include <filesystem>
#include <memory>

namespace headscope
{

/// What the module headscope_parquet.so offers: documents out of Parquet files.
///
/// Arrow and its Parquet are 60 MB of libraries from PyPI, which not every build has and few runs need. So they are
/// linked into a module of their own, which texts/parquet_records.h loads on first use. Module and program come from
/// one build. No exception leaves the module.
struct ParquetModule
{
    const char* version; ///< of Arrow
    Result<std::unique_ptr<RecordReader>> (*open)(const std::filesystem::path& path, const RecordOptions& options);
};

} // namespace headscope

/// The module's one symbol.
extern "C" const headscope::ParquetModule headscopeParquetModule;
