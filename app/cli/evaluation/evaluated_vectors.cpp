// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation/evaluated_vectors.h"

#include "app/cli/retrieval_input.h"
#include "model/io/cache/full_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope::cli
{
namespace
{

/// The vectors with zeros for documents that are not measured.
std::shared_ptr<const HeadVectors> blanked(const HeadVectors& all, const std::vector<bool>& measured)
{
    const std::int64_t length = all.heads() * all.dims();
    std::vector<float> values(all.values().begin(), all.values().end());
    for (std::int64_t row = 0; row < all.documents(); ++row)
        if (!measured[static_cast<std::size_t>(row)])
            std::fill_n(values.begin() + row * length, length, 0.0F);
    return std::make_shared<const HeadVectors>(all.stage(), all.layer(), all.documents(), all.heads(), all.dims(),
                                               std::move(values), all.finalNorm());
}

/// Marks rows that are not finite, and those that are zero.
/// @param zeros  whether a row of zeros counts: not in one stage of a layer, which may be zero in all documents
void mark(const HeadVectors& vectors, bool zeros, std::vector<Pointing>& rows)
{
    for (std::int64_t row = 0; row < vectors.documents(); ++row)
    {
        const Pointing direction = directionOf(vectors.full(DocumentIndex(row)));
        Pointing& marked = rows[static_cast<std::size_t>(row)];
        if (direction == Pointing::NotFinite || (direction == Pointing::Zero && zeros && marked == Pointing::Points))
            marked = direction;
    }
}

} // namespace

Status EvaluatedVectors::open(const CacheInput& input, const Asking& asking, const std::string& stage, JobContext& job)
{
    m_asking = asking;
    for (const LayerIndex layer : input.layers)
        for (const Stage each : input.stages)
            if (input.cache->find(layer, each) != nullptr)
                m_places.emplace_back(layer, each);
    if (m_places.empty())
        return Error{ErrorCode::InvalidArgument, fmt::format("there are no vectors of stage {} in these layers", stage),
                     input.cache->path().string(), "--stage"};
    return readFull(input, job);
}

Result<PlaceVectors> EvaluatedVectors::chosen(std::shared_ptr<const HeadVectors> documents,
                                              std::shared_ptr<const HeadVectors> queries) const
{
    if (queries && (queries->heads() != documents->heads() || queries->dims() != documents->dims()))
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected queries of shape [{}, {}] as in the searched cache, found [{}, {}]",
                                 documents->heads(), documents->dims(), queries->heads(), queries->dims()),
                     m_asking.cache->path().string(),
                     {}};
    PlaceVectors place;
    place.documents = std::move(documents);
    if (m_asking.rows)
        place.queries = takeRows(queries ? queries : place.documents, *m_asking.rows);
    return measuredOf(std::move(place));
}

void EvaluatedVectors::leaveOut(std::vector<bool> measured, std::vector<std::int64_t> queries)
{
    m_measured = std::move(measured);
    m_queries = std::move(queries);
    m_full = measuredOf(std::move(m_full));
}

PlaceVectors EvaluatedVectors::measuredOf(PlaceVectors place) const
{
    if (m_measured.empty())
        return place;
    if (place.queries)
        place.queries = takeRows(place.queries, m_queries);
    if (std::ranges::find(m_measured, false) != m_measured.end())
        place.documents = blanked(*place.documents, m_measured);
    return place;
}

Result<PlaceVectors> EvaluatedVectors::load(const CacheInput& input, LayerIndex layer, Stage stage,
                                            JobContext& job) const
{
    HEADSCOPE_TRY(auto documents, input.cache->load(layer, stage, {}, job));
    std::shared_ptr<const HeadVectors> queries;
    if (m_asking.cache)
    {
        HEADSCOPE_TRY(queries, m_asking.cache->load(layer, stage, {}, job));
    }
    return chosen(takeRows(documents, input.rows), std::move(queries));
}

Result<Measurable> EvaluatedVectors::readAhead(const CacheInput& input, const std::vector<OtherVectors>& others,
                                               JobContext& job)
{
    constexpr std::size_t kMostValues = std::size_t{1} << 28; // 1 GiB
    Measurable found{std::vector<Pointing>(input.rows.size(), Pointing::Points),
                     std::vector<Pointing>(m_asking.rows ? m_asking.rows->size() : 0, Pointing::Points)};
    mark(*m_full.documents, true, found.documents);
    if (m_full.queries)
        mark(*m_full.queries, true, found.queries);
    for (const OtherVectors& other : others)
        mark(*other.documents, true, found.documents);
    std::size_t numKept = 0;
    for (const auto& [layer, stage] : m_places)
    {
        HEADSCOPE_TRY(const PlaceVectors place, load(input, layer, stage, job));
        mark(*place.documents, false, found.documents);
        if (place.queries)
            mark(*place.queries, false, found.queries);
        numKept += place.documents->values().size() + (place.queries ? place.queries->values().size() : 0);
        if (numKept <= kMostValues)
            m_kept.push_back(place);
    }
    for (std::size_t query = 0; m_asking.rows && !m_asking.cache && query < found.queries.size(); ++query)
        found.queries[query] = found.documents[static_cast<std::size_t>((*m_asking.rows)[query])];
    return found;
}

Result<PlaceVectors> EvaluatedVectors::take(const CacheInput& input, std::size_t at, JobContext& job)
{
    if (at < m_kept.size())
        return measuredOf(std::exchange(m_kept[at], {}));
    return load(input, m_places[at].first, m_places[at].second, job);
}

Status EvaluatedVectors::readFull(const CacheInput& input, JobContext& job)
{
    const auto [layer, stage] = m_places.back();
    HEADSCOPE_TRY(FullPair full, fullVectors(*input.cache, layer, stage, {}, job));
    m_fullSource = full.documents.source;
    std::shared_ptr<const HeadVectors> queries;
    if (m_asking.cache)
    {
        const SearchVectors searched{input.model(), full.documents.vectors, full.documents.vectors,
                                     full.documents.source};
        HEADSCOPE_TRY(FullPair asking, fullVectors(*m_asking.cache, layer, stage, {}, job));
        const SearchVectors own{m_asking.cache->info().header.model, asking.documents.vectors, asking.documents.vectors,
                                asking.documents.source};
        HEADSCOPE_CHECK(checkQueriesFit(own, searched, m_asking.cache->path()));
        queries = std::move(asking.documents.vectors);
    }
    HEADSCOPE_TRY(m_full, chosen(takeRows(full.documents.vectors, input.rows), std::move(queries)));
    return {};
}

} // namespace headscope::cli
