// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/document_feed.h"
#include "model/base/clock.h"

#include <utility>

namespace headscope::engine
{

Result<TextEncoder> TextEncoder::create(const Tokenizer& tokenizer, TextOptions options)
{
    if (const auto suffix = tokenizer.suffix(options.encode.eos); !suffix)
        return Error(suffix.error()).atPlace("--eos");
    TextEncoder encoder(tokenizer, std::move(options));
    if (!encoder.m_options.prompt.empty() && !encoder.m_options.promptBelongsToMean)
    {
        HEADSCOPE_TRY(const auto prompt, tokenizer.encode(encoder.m_options.prompt, encoder.m_options.encode));
        encoder.m_promptTokens = static_cast<std::int64_t>(prompt.ids.size() - prompt.numSuffix);
    }
    return encoder;
}

Result<bool> TextEncoder::isEmpty(std::string_view text, const Encoding& encoding) const
{
    const auto addedAlone = [](const Encoding& e) { return !e.truncated && e.ids.size() == e.numPrefix + e.numSuffix; };
    if (m_options.prompt.empty())
        return addedAlone(encoding);
    constexpr std::size_t kLongest = 256; // longer texts are not looked at again without their prompt
    if (text.size() > kLongest)
        return false;
    HEADSCOPE_TRY(const Encoding alone, m_tokenizer.encode(text, m_options.encode));
    return addedAlone(alone);
}

Result<TokenizedDocument> TextEncoder::tokens(std::int64_t index, std::string_view text) const
{
    const auto whole = m_options.prompt.empty() ? std::string() : m_options.prompt + std::string(text);
    HEADSCOPE_TRY(auto encoding, m_tokenizer.encode(m_options.prompt.empty() ? text : whole, m_options.encode));
    HEADSCOPE_TRY(const bool empty, isEmpty(text, encoding));
    TokenizedDocument document;
    document.index = index;
    document.ids = std::move(encoding.ids);
    if (empty)
        document.flags |= static_cast<std::uint8_t>(DocumentFlag::Empty);
    document.promptTokens = m_promptTokens;
    if (encoding.truncated)
        document.flags |= static_cast<std::uint8_t>(DocumentFlag::Truncated);
    if (encoding.repaired)
        document.flags |= static_cast<std::uint8_t>(DocumentFlag::Repaired);
    return document;
}

DocumentFeed::DocumentFeed(DocumentReader& reader, const TextEncoder& encoder, JobContext& job)
    : m_reader(reader), m_encoder(encoder), m_job(job), m_labels(reader.labelColumns().size())
{}

Result<std::optional<TokenizedDocument>> DocumentFeed::next()
{
    const auto start = Clock::now();
    auto document = read();
    m_seconds += secondsSince(start);
    return document;
}

Result<std::optional<TokenizedDocument>> DocumentFeed::read()
{
    constexpr std::size_t kBatch = 64;
    if (m_batchAt == m_batch.size())
    {
        HEADSCOPE_TRY(m_batch, m_reader.next(kBatch, m_job));
        m_batchAt = 0;
        if (m_batch.empty())
            return std::optional<TokenizedDocument>();
    }
    auto& input = m_batch[m_batchAt++];
    auto document = m_encoder.tokens(m_documents.count(), input.text);
    if (!document)
        return std::move(document).error().atPlace("document " + input.id);
    if (input.repaired)
        document->flags |= static_cast<std::uint8_t>(DocumentFlag::Repaired);
    m_documents.ids.push_back(std::move(input.id));
    m_documents.texts.push_back(std::move(input.text));
    m_documents.flags.push_back(document->flags);
    for (std::size_t column = 0; column < m_labels.size(); ++column)
        m_labels[column].push_back(std::move(input.labels[column]));
    return std::optional(std::move(*document));
}

DocumentSet DocumentFeed::takeDocuments()
{
    for (std::size_t column = 0; column < m_labels.size(); ++column)
        m_documents.labels.push_back(makeLabelColumn(m_reader.labelColumns()[column], m_labels[column]));
    return std::move(m_documents);
}

TokenStream streamOfTexts(std::span<const std::string> texts, const TextEncoder& encoder)
{
    return [texts, &encoder, next = std::size_t{0}]() mutable -> Result<std::optional<TokenizedDocument>> {
        if (next == texts.size())
            return std::optional<TokenizedDocument>();
        HEADSCOPE_TRY(auto document, encoder.tokens(static_cast<std::int64_t>(next), texts[next]));
        ++next;
        return std::optional(std::move(document));
    };
}

} // namespace headscope::engine
