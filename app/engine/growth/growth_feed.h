// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/document_feed.h"
#include "app/engine/growth/growth_plan.h"
#include "model/base/result.h"
#include "model/data/extraction.h"
#include "model/io/shards/shard_writer.h"
#include "model/net/run/head_extractor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace headscope::engine
{

/// What is computed for documents from one on, and where it is gathered.
struct GrowthPart
{
    std::int64_t begin = 0;  ///< the document that is number 0 of the shards
    std::int64_t needed = 0; ///< the first that has no vectors yet; those before it share a step with it
    std::vector<ExtractionBlock> blocks;
    ShardWriter* writer = nullptr;
};

/// Streams all documents of a cache that grows, in their order: those that no part needs, or whose vectors an earlier
/// run has computed, come out as kept.
/// @threads one at a time
class GrowthFeed
{
public:
    /// All of them outlive the feed.
    GrowthFeed(const GrownDocuments& documents, const TextEncoder& encoder, const std::vector<GrowthPart>& parts)
        : m_documents(documents), m_encoder(encoder), m_parts(parts)
    {}

    /// The next document, or nothing at the end.
    /// @errors those of the encoder; BadFormat: a document of the cache has another number of tokens than when the
    ///         cache was made, one that an earlier run computed had another text
    [[nodiscard]] Result<std::optional<TokenizedDocument>> next();
    /// Whether the earlier run had no documents that are none of these.
    /// @errors BadFormat
    [[nodiscard]] Status checkKept() const;
    /// Documents of which the cache or an earlier run has all vectors.
    [[nodiscard]] std::int64_t done() const { return m_done; }
    /// Time spent in next().
    [[nodiscard]] double seconds() const { return m_seconds; }

private:
    [[nodiscard]] Result<std::optional<TokenizedDocument>> read();
    [[nodiscard]] Status mark(TokenizedDocument& document);

    const GrownDocuments& m_documents;
    const TextEncoder& m_encoder;
    const std::vector<GrowthPart>& m_parts;
    std::int64_t m_next = 0;
    std::int64_t m_done = 0;
    double m_seconds = 0;
};

/// Hands to each part the layers and stages that it gathers.
/// @threads add() one at a time
class GrowthSink : public HeadVectorSink
{
public:
    /// @param blocks  those that are delivered; they hold all blocks of all parts
    GrowthSink(const std::vector<ExtractionBlock>& blocks, const std::vector<GrowthPart>& parts);

    /// @errors those of ShardWriter::add
    [[nodiscard]] Status add(std::span<const ExtractedDocument> documents) override;

private:
    /// Where the values of a part's blocks lie in a document: first, count.
    using Places = std::vector<std::pair<std::size_t, std::size_t>>;
    [[nodiscard]] static ExtractedDocument cutOut(const ExtractedDocument& document, const Places& places,
                                                  std::int64_t begin);

    const std::vector<GrowthPart>& m_parts;
    std::vector<Places> m_places; ///< of each part
};

} // namespace headscope::engine
