// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/io/texts/document_reader.h"
#include "model/net/run/head_extractor.h"
#include "model/tokenize/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope::engine
{

/// How texts become token ids: documents and topic names alike.
struct TextOptions
{
    EncodeOptions encode;
    std::string prompt;              ///< put before every text
    bool promptBelongsToMean = true; ///< whether mean pooling takes the prompt's tokens, too
};

/// Turns texts into what the network takes.
/// @threads tokens() from any number of threads
class TextEncoder
{
public:
    /// @errors those of the tokenizer on the prompt; WrongUse (an end token asked for that the model lacks)
    [[nodiscard]] static Result<TextEncoder> create(const Tokenizer& tokenizer, TextOptions options);

    /// The tokens of the prompt and the text. Where the text has no token of its own, the flag Empty is set: what the
    /// tokens added to every text make is the same vector for each such text, and says nothing of it.
    /// @errors those of Tokenizer::encode
    [[nodiscard]] Result<TokenizedDocument> tokens(std::int64_t index, std::string_view text) const;

private:
    [[nodiscard]] Result<bool> isEmpty(std::string_view text, const Encoding& encoding) const;
    TextEncoder(const Tokenizer& tokenizer, TextOptions options) : m_tokenizer(tokenizer), m_options(std::move(options))
    {}

    const Tokenizer& m_tokenizer;
    TextOptions m_options;
    std::int64_t m_promptTokens = 0;
};

/// Streams the documents of a reader through the encoder, and keeps what a cache stores of them:
/// ids, texts and labels.
/// @threads one at a time
class DocumentFeed
{
public:
    /// All three outlive the feed.
    DocumentFeed(DocumentReader& reader, const TextEncoder& encoder, JobContext& job);

    /// The next document, or nothing at the end.
    /// @errors those of the reader; those of the encoder with the document's id as place
    [[nodiscard]] Result<std::optional<TokenizedDocument>> next();

    /// The documents that were given, with their label columns. Once, at the end.
    [[nodiscard]] DocumentSet takeDocuments();
    /// Time spent in next().
    [[nodiscard]] double seconds() const { return m_seconds; }

private:
    [[nodiscard]] Result<std::optional<TokenizedDocument>> read();

    DocumentReader& m_reader;
    const TextEncoder& m_encoder;
    JobContext& m_job;
    std::vector<InputDocument> m_batch;
    std::size_t m_batchAt = 0;
    DocumentSet m_documents;
    std::vector<std::vector<std::string>> m_labels; ///< [columns][documents]
    double m_seconds = 0;
};

/// A stream of a few texts, for topic names. The texts and the encoder outlive it.
[[nodiscard]] TokenStream streamOfTexts(std::span<const std::string> texts, const TextEncoder& encoder);

} // namespace headscope::engine
