// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/hash.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/documents/label_builder.h"
#include "model/io/cache/cache_info.h"
#include "model/io/shards/shard_writer.h"
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
///
/// Of a range of them the others are read too, so that label columns have the categories of the whole inputs; and those
/// before it, with a few behind it, are given as if they were done: documents are packed into the steps of the whole
/// run, on which the last bits of their vectors depend.
/// @threads one at a time
class DocumentFeed
{
public:
    /// All four outlive the feed.
    /// @param kept   documents whose vectors are there: they come out marked as such
    /// @param range  the documents to compute: they have the indices 0 to end - begin - 1, those before them negative
    ///               ones; nothing is kept of the others
    /// @param stepTokens  with which a step is full
    DocumentFeed(DocumentReader& reader, const TextEncoder& encoder, JobContext& job, const KeptDocuments& kept,
                 DocumentRange range, std::int64_t stepTokens);

    /// The next document, or nothing at the end.
    /// @errors those of the reader; those of the encoder, and BadFormat where a kept document has another text now,
    ///         with the document's id as place
    [[nodiscard]] Result<std::optional<TokenizedDocument>> next();

    /// Whether every document whose vectors are there was among those of the reader. At the end.
    /// @errors BadFormat
    [[nodiscard]] Status checkAllKeptCame() const;
    /// The documents that were given, with their label columns. Once, at the end.
    [[nodiscard]] DocumentSet takeDocuments();
    /// XXH3-128 of ids, texts and labels of all documents of the reader. At the end.
    [[nodiscard]] std::string digest() const { return m_digest.hex(); }
    /// Time spent in next().
    [[nodiscard]] double seconds() const { return m_seconds; }

private:
    [[nodiscard]] Result<std::optional<TokenizedDocument>> read();
    /// The next one that is needed, whose labels, like those of all before it, were taken.
    [[nodiscard]] Result<std::optional<InputDocument>> nextNeeded();
    void takeLabels(const InputDocument& input);
    [[nodiscard]] Status markKept(TokenizedDocument& document) const;

    DocumentReader& m_reader;
    const TextEncoder& m_encoder;
    JobContext& m_job;
    const KeptDocuments& m_kept;
    DocumentRange m_range;
    std::int64_t m_stepTokens = 0;
    std::int64_t m_behindTokens = 0; ///< of documents behind the range
    std::int64_t m_taken = 0;        ///< documents of the reader so far
    Xxh3 m_digest;                   ///< of all these
    std::vector<InputDocument> m_batch;
    std::size_t m_batchAt = 0;
    DocumentSet m_documents;
    std::vector<LabelColumnBuilder> m_labels; ///< [columns], of all documents
    double m_seconds = 0;
};

/// A stream of a few texts, for topic names. The texts and the encoder outlive it.
[[nodiscard]] TokenStream streamOfTexts(std::span<const std::string> texts, const TextEncoder& encoder);

} // namespace headscope::engine
