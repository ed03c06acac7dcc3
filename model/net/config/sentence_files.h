// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/net/config/embedding_steps.h"
#include "model/net/config/model_files.h"
#include "model/net/forward/layer.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// A text that is put before others, by its name.
struct NamedPrompt
{
    std::string name;
    std::string text;
};

/// How a model's own files say that it makes one vector of a text: sentence-transformers' modules.json,
/// 1_Pooling/config.json, sentence_bert_config.json and config_sentence_transformers.json, with model_max_length of
/// tokenizer_config.json; or a GGUF's pooling_type.
struct SentenceSettings
{
    std::vector<std::string> modules; ///< of sentence-transformers, in their order: "Transformer", "Pooling", ...
    std::optional<Pooling> pooling;
    std::string otherPooling;  ///< what the files ask for where it is not offered: "max"; "" as a rule
    EmbeddingPlan embedding;   ///< what is done with the pooled vector
    bool includePrompt = true; ///< whether a mean takes the tokens of the instruction, too
    /// max_seq_length; without it model_max_length of the tokenizer, as sentence-transformers does.
    std::optional<std::int64_t> maxSequenceLength;
    bool lengthIsOwn = false; ///< it is max_seq_length: sentence-transformers does not hold it against the positions
    std::vector<NamedPrompt> prompts; ///< in the order of the file
    std::string defaultPrompt;        ///< name of the one put before every text; "" = none

    /// The prompt of this name, or nullptr.
    [[nodiscard]] const NamedPrompt* prompt(std::string_view name) const;
    std::vector<std::string> warnings; ///< what the files ask for and is not done, in sentences
};

/// Reads what there is; a model without such files has none of the settings.
///
/// Modules behind the pooling (Dense, LayerNorm, Normalize) and truncate_dim make the sentence embedding of the
/// pooled vector. Head vectors are those of the network. Of a module that is not offered, or cannot be read, a warning
/// says why, and there is no such embedding then.
/// @errors BadFormat: a file is no JSON, or a member holds another kind of value than it should. What it was meant to
///         say cannot be guessed, and another pooling makes other vectors.
[[nodiscard]] Result<SentenceSettings> readSentenceSettings(const ModelFiles& files);

/// The files that readSentenceSettings reads where they are there.
[[nodiscard]] std::vector<std::filesystem::path> sentenceFiles(const ModelFiles& files);

} // namespace headscope
