// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/growth/growth_feed.h"

#include "model/base/clock.h"
#include "model/base/numbers/all_finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace headscope::engine
{

Result<std::optional<TokenizedDocument>> GrowthFeed::next()
{
    const auto start = Clock::now();
    auto document = read();
    m_seconds += secondsSince(start);
    return document;
}

Result<std::optional<TokenizedDocument>> GrowthFeed::read()
{
    const DocumentSet& all = m_documents.all;
    if (m_next == all.count())
        return std::optional<TokenizedDocument>();
    const auto row = static_cast<std::size_t>(m_next++);
    const auto wrong = [&](Error error) { return std::move(error).atPlace("document " + all.ids[row]); };
    auto document = m_encoder.tokens(static_cast<std::int64_t>(row), all.texts[row]);
    if (!document)
        return wrong(std::move(document).error());
    const auto tokens = std::ssize(document->ids);
    if (document->index < m_documents.before && tokens != all.tokens[row])
        return wrong(
            {ErrorCode::BadFormat,
             fmt::format("expected {} tokens as stored in the cache, found {}: the cache was made with another prompt "
                         "or tokenizer, or the text contained a NUL, which a cache does not store",
                         all.tokens[row], tokens),
             {},
             {}});
    if (hasFlag(all.flags[row], DocumentFlag::Repaired))
        document->flags |= static_cast<std::uint8_t>(DocumentFlag::Repaired);
    if (Status marked = mark(*document); !marked)
        return wrong(std::move(marked).error());
    return std::optional(std::move(*document));
}

Status GrowthFeed::mark(TokenizedDocument& document)
{
    document.kept = true;
    bool isDone = true;
    for (const GrowthPart& part : m_parts)
    {
        if (document.index < part.begin)
            continue;
        const auto& kept = part.writer->kept();
        const auto there = kept.find(document.index - part.begin);
        if (there != kept.end() && there->second != document.digest())
            return Error{ErrorCode::BadFormat,
                         "expected the text of the earlier run, found another text: --no-resume starts over",
                         {},
                         {}};
        document.kept = document.kept && there != kept.end();
        isDone = isDone && (there != kept.end() || document.index < part.needed);
    }
    m_done += isDone ? 1 : 0;
    return {};
}

Status GrowthFeed::checkKept() const
{
    for (const GrowthPart& part : m_parts)
    {
        const std::int64_t count = m_documents.all.count() - part.begin;
        const auto& kept = part.writer->kept();
        if (std::any_of(kept.begin(), kept.end(), [count](const auto& each) { return each.first >= count; }))
            return Error{ErrorCode::BadFormat,
                         fmt::format("expected all {} documents of the earlier run, found an input of {} documents: "
                                     "--no-resume starts over",
                                     kept.size(), count),
                         {},
                         {}};
    }
    return {};
}

GrowthSink::GrowthSink(const std::vector<ExtractionBlock>& blocks, const std::vector<GrowthPart>& parts)
    : m_parts(parts)
{
    for (const GrowthPart& part : parts)
    {
        Places places;
        std::size_t at = 0;
        for (const ExtractionBlock& block : blocks)
        {
            const auto size = static_cast<std::size_t>(block.heads * block.dims);
            const bool wanted = std::any_of(part.blocks.begin(), part.blocks.end(),
                                            [&block](const ExtractionBlock& each) { return sameBlock(each, block); });
            if (wanted)
                places.emplace_back(at, size);
            at += size;
        }
        m_places.push_back(std::move(places));
    }
}

ExtractedDocument GrowthSink::cutOut(const ExtractedDocument& document, const Places& places, std::int64_t begin)
{
    ExtractedDocument cut;
    cut.index = document.index - begin;
    cut.tokens = document.tokens;
    cut.flags = document.flags;
    cut.digest = document.digest;
    for (const auto& [first, count] : places)
    {
        const auto from = document.values.begin() + static_cast<std::ptrdiff_t>(first);
        cut.values.insert(cut.values.end(), from, from + static_cast<std::ptrdiff_t>(count));
    }
    // What is not finite may lie in layers and stages that are not kept.
    constexpr auto kNonFinite = static_cast<std::uint8_t>(DocumentFlag::NonFinite);
    if (hasFlag(cut.flags, DocumentFlag::NonFinite) && allFinite(cut.values))
        cut.flags = static_cast<std::uint8_t>(cut.flags & ~kNonFinite);
    return cut;
}

Status GrowthSink::add(std::span<const ExtractedDocument> documents)
{
    for (std::size_t i = 0; i < m_parts.size(); ++i)
    {
        std::vector<ExtractedDocument> own;
        for (const ExtractedDocument& document : documents)
            if (document.index >= m_parts[i].begin)
                own.push_back(cutOut(document, m_places[i], m_parts[i].begin));
        HEADSCOPE_CHECK(m_parts[i].writer->add(own));
    }
    return {};
}

} // namespace headscope::engine
