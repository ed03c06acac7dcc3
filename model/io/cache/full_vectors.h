// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/matrix.h"
#include "model/io/cache/cache_reader.h"

#include <memory>
#include <optional>
#include <string>

namespace headscope
{

/// Full vectors (model/io/FORMAT.md, section 1) of documents or topics.
struct FullVectors
{
    std::shared_ptr<const HeadVectors> vectors; ///< heads one after another are the full vector
    std::string source;                         ///< for people: what the full vector is

    /// [N, D], one row a document.
    [[nodiscard]] ConstMatrixView matrix() const
    {
        const HeadVectors& all = *vectors;
        return {all.values().data(), all.documents(), all.heads() * all.dims()};
    }
};

/// The full vectors of the documents of a cache and of the topics of a label column, by one rule for both: the sentence
/// embedding where that is the chosen stage, else the uncut stage 3 of the last layer where the cache holds it (for
/// the topics too, where a column is asked for), else the heads of the chosen stage one after another. `source` says
/// which.
struct FullPair
{
    FullVectors documents;
    FullVectors topics; ///< vectors is null when no column was asked for
};
[[nodiscard]] Result<FullPair> fullVectors(CacheReader& cache, LayerIndex layer, Stage stage,
                                           const std::optional<std::string>& topicColumn, JobContext& job);

} // namespace headscope
