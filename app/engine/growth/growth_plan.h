// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/extraction/run_extraction.h"
#include "app/engine/topic_names.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/extraction.h"
#include "model/io/shards/cache_growth.h"
#include "model/io/texts/document_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope::engine
{

/// The documents of a cache with those that come to it.
struct GrownDocuments
{
    /// First those of the cache, with their tokens and flags; of the others tokens are 0, and flags tell what was
    /// repaired on reading.
    DocumentSet all;
    std::int64_t before = 0; ///< documents of the cache
    /// Columns of numbers among the labels, which get no topic vectors: numberColumnsOf() the cache, and those of the
    /// reader that it does not have.
    std::vector<std::string> numbers;

    [[nodiscard]] std::int64_t added() const { return all.count() - before; }
};

/// Reads the inputs and puts behind the documents of a cache those whose id it does not have. Label columns are those
/// of the cache and of the reader; categories are sorted, but where those of the cache are not: new ones come behind
/// them then.
/// @param reader  null: no inputs
/// @param lists   label columns that these belong to are sorted in every case: the lists put their names first
/// @errors InvalidArgument (an id of the cache with another text or label), those of the reader, Cancelled
[[nodiscard]] Result<GrownDocuments> readGrownDocuments(const AppendTarget& cache, DocumentReader* reader,
                                                        const std::vector<TopicList>& lists, const std::string& label,
                                                        JobContext& job);

/// Layers and stages whose vectors of a label column's names have to be computed.
struct MissingTopics
{
    std::size_t column = 0; ///< of the documents
    std::vector<ExtractionBlock> blocks;
    bool names = false; ///< also other names, or another order of them
};

/// What a cache lacks.
struct GrowthPlan
{
    std::vector<ExtractionBlock> blocks;  ///< all, those of the cache too, by layer, then by stage
    std::vector<ExtractionBlock> there;   ///< those of the cache
    std::vector<ExtractionBlock> missing; ///< those of no document
    std::vector<MissingTopics> topics;

    /// Layers and stages of which something has to be computed.
    [[nodiscard]] std::vector<ExtractionBlock> computed(bool documentsAdded) const;
};

/// What the cache will say of itself: that of before, with what was added.
/// @param sample   that was drawn of the inputs
/// @param command  that added it
[[nodiscard]] CacheHeader grownHeader(const AppendTarget& cache, const ExtractionRequest& request,
                                      const GrowthPlan& plan, std::int64_t documentsAdded,
                                      const std::optional<DocumentSample>& sample, const std::string& command);

/// @param wanted  the layers and stages asked for
[[nodiscard]] GrowthPlan planGrowth(const AppendTarget& cache, const GrownDocuments& documents,
                                    const std::vector<ExtractionBlock>& wanted);

[[nodiscard]] bool sameBlock(const ExtractionBlock& a, const ExtractionBlock& b);

} // namespace headscope::engine
