// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/net/config/model_files.h"
#include "model/net/forward/layer.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// How a model's own files say that it makes one vector of a text: sentence-transformers'
/// modules.json, 1_Pooling/config.json and sentence_bert_config.json, or a GGUF's pooling_type.
struct SentenceSettings
{
    std::optional<Pooling> pooling;
    bool includePrompt = true; ///< whether a mean takes the tokens of the instruction, too
    std::optional<std::int64_t> maxSequenceLength;
    std::vector<std::string> warnings; ///< what the files ask for and is not done, in sentences
};

/// Reads what there is; a model without such files has none of the settings.
///
/// A pooling that is not offered (max, weighted mean, ...) is reported as a warning and not set. Scaling to unit
/// length and dense layers after the pooling are never applied; where the files ask for a dense layer there is a
/// warning.
/// @errors BadFormat: a file is no JSON, or a member holds another kind of value than it should. What it was meant to
///         say cannot be guessed, and another pooling makes other vectors.
[[nodiscard]] Result<SentenceSettings> readSentenceSettings(const ModelFiles& files);

/// The files that readSentenceSettings reads where they are there.
[[nodiscard]] std::vector<std::filesystem::path> sentenceFiles(const ModelFiles& files);

} // namespace headscope
