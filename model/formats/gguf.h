// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/formats/gguf_metadata.h"
#include "model/formats/seekable_source.h"
#include "model/formats/tensor_info.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headscope
{

/// The header of a GGUF file, or of all parts of a split one.
struct GgufFile
{
    std::uint32_t version = 0;
    std::uint64_t alignment = 32;
    GgufMetadata metadata; ///< of the first part
    /// Shapes are row-major: GGUF's ne, which begins with the fastest axis, reversed.
    TensorDirectory tensors;
};

/// Reads the metadata and the tensor infos of one GGUF file (version 2 or 3, little-endian) and
/// checks every count, string, array, dimension, type and offset against the bytes that are there,
/// before memory is taken for it.
///
/// @param source  the whole file; only what stands before the data is read
/// @param path    becomes files[0] of the directory; never opened
/// @return  the tensors with offsets from the start of the file
/// @errors  BadFormat, Unsupported (version, byte order, a type that is not read), those of the
///          source; place is the metadata key or tensor
/// @threads reentrant
/// @cost    O(bytes before the data); memory at most about four times these bytes
/// @source  ggml docs/gguf.md
[[nodiscard]] Result<GgufFile> parseGguf(const SeekableSource& source, const std::filesystem::path& path);

/// Reads a GGUF file; when it is a part of a split model (split.count above 1), all its parts, which
/// lie beside it (name-00001-of-00003.gguf).
///
/// @param problems  takes everything that is wrong with the parts, not only the first
/// @return  to be used only when problems stays empty
[[nodiscard]] GgufFile openGguf(const std::filesystem::path& path, std::vector<Error>& problems);

/// As above, the problems put into one error.
[[nodiscard]] Result<GgufFile> openGguf(const std::filesystem::path& path);

} // namespace headscope
