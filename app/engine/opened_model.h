// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/net/config/model_card.h"
#include "model/net/config/model_files.h"
#include "model/net/forward/embedding_modules.h"
#include "model/tokenize/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::engine
{

/// A model with its tokenizer, checked against each other.
struct OpenedModel
{
    ModelFiles files;
    Tokenizer tokenizer;
    ModelCard card; ///< its warnings include the tokenizer's

    /// How tokens become one vector: the model's own way for "auto", else "last", "mean" or "first".
    /// @errors WrongUse; Unsupported (the model's own way is not offered)
    [[nodiscard]] Result<Pooling> pooling(std::string_view choice) const;

    /// What makes the sentence embedding of a text's pooled vector; null where nothing does, or these are pooled
    /// in another way than its files say.
    /// @errors those of EmbeddingModules::load
    [[nodiscard]] Result<std::shared_ptr<const EmbeddingModules>> embedding(Pooling pooling) const;

    /// What is before every text: the typed text, else the prompt of this name, which the model's files have:
    /// "auto" is the one that they put before texts by default, "none" is no prompt.
    /// @errors WrongUse (no prompt of this name; a text and a name typed)
    [[nodiscard]] Result<std::string> prompt(const std::string& typed, const std::string& name) const;

    /// Most tokens of a text: for "auto" the model's max_seq_length, or else 4096, never above its
    /// positions; a given number may be, where rotary positions are stretched dynamically.
    /// @errors WrongUse (no number), InvalidArgument (above the model's positions)
    [[nodiscard]] Result<std::int64_t> maxTokens(std::string_view choice) const;
};

/// Names and SHA-256 of a model's files, once addHashes() has found these.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> hashesOf(const ModelCard& card);

/// Opens everything but the weights' numbers (their hashes only when asked for).
/// @errors those of checkModelPath, else all problems in one: those of openModel, of Tokenizer::open, and a tokenizer
///         with more tokens than the model has rows; Resource, Cancelled
[[nodiscard]] Result<OpenedModel> openModelAndTokenizer(const std::filesystem::path& path,
                                                        const ModelCardOptions& options, JobContext& job);

} // namespace headscope::engine
