// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/evaluation/other_vectors.h"
#include "app/results/cache_input.h"
#include "model/base/job_context.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::cli
{

/// Vectors of the documents, of one place or the full ones, and of the queries.
struct PlaceVectors
{
    std::shared_ptr<const HeadVectors> documents;
    std::shared_ptr<const HeadVectors> queries; ///< null: no retrieval
};

/// Who asks.
struct Asking
{
    std::shared_ptr<CacheReader> cache;              ///< null: the documents are the queries
    std::optional<std::vector<std::int64_t>> rows{}; ///< of the queries; nothing: nobody asks
};

/// Which documents and queries can be measured.
struct Measurable
{
    std::vector<Pointing> documents; ///< [N]
    std::vector<Pointing> queries;   ///< [J]
};

/// The vectors of a cache that are evaluated, place by place (layer and stage), and the full ones.
class EvaluatedVectors
{
public:
    /// Finds the places that the cache holds of those that were asked for, and reads the full vectors: of the last of
    /// the places where the cache has no embedding of the model.
    /// @param stage  as it was asked for
    /// @errors InvalidArgument (there is no place); those of fullVectors and checkQueriesFit
    [[nodiscard]] Status open(const CacheInput& input, const Asking& asking, const std::string& stage, JobContext& job);

    [[nodiscard]] const std::vector<std::pair<LayerIndex, Stage>>& places() const { return m_places; }
    [[nodiscard]] const PlaceVectors& full() const { return m_full; }
    [[nodiscard]] const std::string& fullSource() const { return m_fullSource; }

    /// Reads every place once before it is evaluated, and keeps the first as long as they are few: take() does not read
    /// them again. Finds which documents and queries can be measured: all their vectors are finite, and the full ones
    /// are not zero.
    /// @param others  full vectors of other caches
    [[nodiscard]] Result<Measurable> readAhead(const CacheInput& input, const std::vector<OtherVectors>& others,
                                               JobContext& job);
    /// From here on, full(), take() and chosen() have zeros for documents that are not measured, which no ranking
    /// finds, and only these queries.
    /// @param measured  [N]
    /// @param queries   numbers of those that asked so far
    void leaveOut(std::vector<bool> measured, std::vector<std::int64_t> queries);
    /// The vectors of places()[at], which are kept no longer.
    [[nodiscard]] Result<PlaceVectors> take(const CacheInput& input, std::size_t at, JobContext& job);
    /// Documents with the queries that ask them.
    /// @param documents  those that are evaluated
    /// @param queries    null: the documents
    /// @errors ShapeMismatch
    [[nodiscard]] Result<PlaceVectors> chosen(std::shared_ptr<const HeadVectors> documents,
                                              std::shared_ptr<const HeadVectors> queries) const;

private:
    [[nodiscard]] Result<PlaceVectors> load(const CacheInput& input, LayerIndex layer, Stage stage,
                                            JobContext& job) const;
    [[nodiscard]] Status readFull(const CacheInput& input, JobContext& job);
    [[nodiscard]] PlaceVectors measuredOf(PlaceVectors place) const;

    Asking m_asking;
    std::vector<std::pair<LayerIndex, Stage>> m_places;
    std::vector<PlaceVectors> m_kept; ///< of the first places
    PlaceVectors m_full;
    std::string m_fullSource;
    std::vector<bool> m_measured;        ///< [N]; empty: all
    std::vector<std::int64_t> m_queries; ///< where some documents or queries are not measured
};

} // namespace headscope::cli
