// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headscope
{

/// What the files that sentence-transformers keeps beside a model say about its use.
struct SentenceTransformersFiles
{
    /// "last", "mean" or "first"; empty when no file says it.
    std::string pooling;
    /// The pooling's own name where it is none of these three ("pooling_mode_max_tokens"), or empty.
    std::string unknownPooling;
    std::optional<std::int64_t> maxSeqLength; ///< tokens, those added around the text included
    bool normalizes = false;                  ///< vectors are scaled to unit length at the end; we keep them raw
};

/// Reads modules.json, the Pooling module's config.json (1_Pooling) and sentence_bert_config.json,
/// as far as they are there.
/// @errors BadFormat (malformed; a folder of a module that leads out of the model's folder)
[[nodiscard]] Result<SentenceTransformersFiles> readSentenceTransformers(const std::filesystem::path& folder);

} // namespace headscope
