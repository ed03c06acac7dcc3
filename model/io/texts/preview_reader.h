// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_preview.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace headscope
{

/// How much of a file of documents is read to show what it holds.
struct PreviewOptions
{
    bool lines = false;                           ///< .txt: each line is a document
    std::optional<char> separator = std::nullopt; ///< RecordOptions::separator
    std::int64_t limit = 0;                       ///< the extraction's own limit of rows; 0 = none
    std::size_t rows = 100;                       ///< kept to be shown
    std::int64_t mostRows = 5'000;                ///< read to find out what the columns are good for
    std::size_t mostBytes = std::size_t{8} << 20; ///< of values; reading ends after the row that passes it
    std::size_t mostColumns = 256;                ///< further ones are left out
    std::size_t cellBytes = 400;                  ///< of a value that is kept
};

/// Reads the first rows of a file or folder of documents, fields inside others under their dotted names: what is in its
/// columns, and what they are good for. A row that cannot be read ends the preview and becomes its `fault`.
/// @errors FileNotFound, Unsupported, BadFormat (no header, no document), Resource, Cancelled
/// @threads any; polls the job once a row
[[nodiscard]] Result<DocumentPreview> readPreview(const std::filesystem::path& path, const PreviewOptions& options,
                                                  JobContext& job);

} // namespace headscope
