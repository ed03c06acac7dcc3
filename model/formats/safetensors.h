// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/formats/tensor_info.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace headscope
{

/// Bytes of the JSON header that follows the 8-byte length at the start of a safetensors file.
///
/// @param firstBytes  the first 8 bytes of the file (fewer where it is shorter)
/// @param fileSize    size of the whole file
/// @errors BadFormat (too short; more than 100 MB; more than the file holds)
[[nodiscard]] Result<std::uint64_t> safetensorsHeaderSize(std::span<const std::byte> firstBytes,
                                                          std::uint64_t fileSize);

/// The tensors that a safetensors header declares, checked against each other and the file: every
/// entry has a known type, the tensors fill the data section without gap, overlap or rest, and each
/// one's size agrees with its type and shape.
///
/// @param header    the JSON header, without the 8 bytes before it
/// @param fileSize  size of the whole file
/// @param path      becomes files[0] of the directory; never opened
/// @return  one file; offsets from the start of the file
/// @errors  BadFormat, Unsupported (a type we do not know); place is the tensor's name
/// @threads reentrant
/// @cost    O(header); memory at most some 20 times the header while it is read
/// @source  safetensors README "Format" and the checks of its reader
[[nodiscard]] Result<TensorDirectory> parseSafetensorsHeader(std::span<const std::byte> header, std::uint64_t fileSize,
                                                             const std::filesystem::path& path);

/// Reads the header of one safetensors file; its data is not touched.
/// @errors as parseSafetensorsHeader; FileNotFound, Resource
[[nodiscard]] Result<TensorDirectory> openSafetensors(const std::filesystem::path& path);

/// Reads a model.safetensors.index.json and the headers of all shards it names (plain names of
/// files beside it; symbolic links as in the caches of Hugging Face are followed).
///
/// @param problems  takes everything that is wrong, not only the first: missing and malformed
///                  shards, tensors that are not in their shard, or in two
/// @return  the tensors of the index that were found; to be used only when problems stays empty
[[nodiscard]] TensorDirectory openSafetensorsIndex(const std::filesystem::path& path, std::vector<Error>& problems);

/// As above, the problems put into one error.
[[nodiscard]] Result<TensorDirectory> openSafetensorsIndex(const std::filesystem::path& path);

} // namespace headscope
