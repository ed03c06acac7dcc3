// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/document_feed.h"
#include "model/base/clock.h"

#include <fmt/format.h>

#include <algorithm>
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

DocumentFeed::DocumentFeed(DocumentReader& reader, const TextEncoder& encoder, JobContext& job,
                           const KeptDocuments& kept, DocumentRange range, std::int64_t stepTokens)
    : m_reader(reader), m_encoder(encoder), m_job(job), m_kept(kept), m_range(range), m_stepTokens(stepTokens),
      m_labels(reader.labelColumns().size())
{}

Result<std::optional<TokenizedDocument>> DocumentFeed::next()
{
    const auto start = Clock::now();
    auto document = read();
    m_seconds += secondsSince(start);
    return document;
}

/// Every text with its length: "a", "bc" and "ab", "c" are told apart.
void DocumentFeed::takeLabels(const InputDocument& input)
{
    const auto add = [this](const std::string& text) {
        const std::uint64_t size = text.size();
        m_digest.update(std::as_bytes(std::span(&size, 1)));
        m_digest.update(std::as_bytes(std::span(text)));
    };
    add(input.id);
    add(input.text);
    for (std::size_t column = 0; column < m_labels.size(); ++column)
    {
        add(input.labels[column]);
        m_labels[column].add(input.labels[column]);
    }
}

Result<std::optional<InputDocument>> DocumentFeed::nextNeeded()
{
    constexpr std::size_t kBatch = 64;
    for (;;)
    {
        if (m_batchAt == m_batch.size())
        {
            HEADSCOPE_TRY(m_batch, m_reader.next(kBatch, m_job));
            m_batchAt = 0;
            if (m_batch.empty())
                return std::optional<InputDocument>();
        }
        InputDocument& input = m_batch[m_batchAt++];
        takeLabels(input);
        ++m_taken;
        if (m_taken <= m_range.end || m_behindTokens < m_stepTokens)
            return std::optional(std::move(input));
    }
}

Result<std::optional<TokenizedDocument>> DocumentFeed::read()
{
    HEADSCOPE_TRY(auto input, nextNeeded());
    if (!input)
        return std::optional<TokenizedDocument>();
    const std::int64_t index = m_taken - 1 - m_range.begin;
    auto document = m_encoder.tokens(index, input->text);
    if (!document)
        return std::move(document).error().atPlace("document " + input->id);
    if (input->repaired)
        document->flags |= static_cast<std::uint8_t>(DocumentFlag::Repaired);
    if (index < 0 || m_taken > m_range.end)
    {
        document->kept = true;
        m_behindTokens += index < 0 ? 0 : std::ssize(document->ids);
        return std::optional(std::move(*document));
    }
    if (Status marked = markKept(*document); !marked)
        return std::move(marked).error().atPlace("document " + input->id);
    m_documents.ids.push_back(std::move(input->id));
    m_documents.texts.push_back(std::move(input->text));
    m_documents.flags.push_back(document->flags);
    return std::optional(std::move(*document));
}

Status DocumentFeed::markKept(TokenizedDocument& document) const
{
    const auto there = m_kept.find(document.index);
    document.kept = there != m_kept.end();
    if (document.kept && there->second != document.digest())
        return Error{ErrorCode::BadFormat,
                     "expected the text of the earlier run, found another text: --no-resume starts over",
                     {},
                     {}};
    return {};
}

Status DocumentFeed::checkAllKeptCame() const
{
    const bool more = std::any_of(m_kept.begin(), m_kept.end(),
                                  [this](const auto& kept) { return kept.first >= m_documents.count(); });
    if (more)
        return Error{
            ErrorCode::BadFormat,
            fmt::format(
                "expected all {} documents of the earlier run, found an input of {} documents: --no-resume starts over",
                m_kept.size(), m_documents.count()),
            {},
            {}};
    return {};
}

DocumentSet DocumentFeed::takeDocuments()
{
    for (std::size_t column = 0; column < m_labels.size(); ++column)
    {
        const auto begin = static_cast<std::size_t>(m_range.begin);
        m_documents.labels.push_back(m_labels[column].column(m_reader.labelColumns()[column], begin,
                                                             begin + static_cast<std::size_t>(m_documents.count())));
    }
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
