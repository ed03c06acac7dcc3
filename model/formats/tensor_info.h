// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"
#include "model/base/tensor_type.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope
{

/// Where a stored tensor lies and what it is. A TensorDirectory holds only entries whose bytes lie
/// inside the file and whose size agrees with type and shape.
struct TensorInfo
{
    std::string name;
    TensorType type = TensorType::F32;
    std::vector<std::int64_t> shape; ///< row-major, the last axis fastest, as Hugging Face writes it
    std::int32_t file = 0;           ///< index into TensorDirectory::files
    std::uint64_t offset = 0;        ///< of the first byte, from the start of the file
    std::uint64_t bytes = 0;
    /// Not 0: the file holds it with rows and columns exchanged. Number (r, c) is the one of number c * storedCols + r
    /// behind the offset.
    std::int64_t storedCols = 0;
    /// Not 0: its rows lie in groups of so many, each of which begins groupStep rows of the file behind the one before.
    std::int64_t groupRows = 0;
    std::int64_t groupStep = 0;

    /// Numbers in the tensor: 1 for a shape without axes.
    [[nodiscard]] std::uint64_t elements() const;
};

/// One file that holds tensors.
struct TensorFile
{
    std::filesystem::path path;
    std::uint64_t bytes = 0;
};

/// All tensors of a model, in one file or many.
struct TensorDirectory
{
    std::vector<TensorFile> files;
    std::vector<TensorInfo> tensors;                           ///< sorted by name
    std::vector<std::pair<std::string, std::string>> metadata; ///< safetensors: __metadata__ of the first file
    std::vector<std::string> warnings;                         ///< sentences about what is odd, but can be read

    /// The tensor of that name, or nullptr. @cost O(log tensors)
    [[nodiscard]] const TensorInfo* find(std::string_view name) const;
    /// The file's name without its folder, for messages.
    [[nodiscard]] std::string fileName(const TensorInfo& tensor) const;
    /// Sum of the tensors' bytes.
    [[nodiscard]] std::uint64_t totalBytes() const;
    /// Sum of the tensors' elements.
    [[nodiscard]] std::uint64_t totalElements() const;
};

/// "[4096, 1024]"
[[nodiscard]] std::string shapeText(std::span<const std::int64_t> shape);

/// A name from a file as a message may show it: valid UTF-8 without control characters, quoted
/// nowhere, long ones cut in the middle.
[[nodiscard]] std::string printableName(std::string_view name);

/// One error that lists several: itself when there is one, else a numbered list under the file.
/// @param problems  at least one
[[nodiscard]] Error combinedError(std::span<const Error> problems, std::string_view file);

} // namespace headscope
