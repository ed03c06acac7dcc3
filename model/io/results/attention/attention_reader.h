// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/attention/attention_run.h"

#include <cstdint>
#include <filesystem>

namespace headscope
{

/// Most bytes of weights, thumbnails and vectors that are read of a file.
inline constexpr std::uint64_t kMaxAttentionBytes = std::uint64_t{256} << 20;

/// The attention of one text out of a file that `attention -o` (AttentionFile) or anyone else has written. A file
/// without thumbnails has those of its weights, as large as the text. Its maker is Stored, without a name.
/// @errors BadFormat (no such file, something is missing, does not fit together, is no weight or no UTF-8: with the
///         place in the file), Unsupported (statistics of many texts, a newer version, more than kMaxAttentionBytes),
///         those of Hdf5Reader
[[nodiscard]] Result<AttentionRun> readAttentionRun(const std::filesystem::path& path, JobContext& job);

} // namespace headscope
