// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation/evaluated_vectors.h"

#include "app/cli/retrieval_input.h"
#include "model/io/cache/full_vectors.h"

#include <fmt/format.h>

namespace headscope::cli
{

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

Status EvaluatedVectors::readAhead(const CacheInput& input, const std::function<void(const HeadVectors&)>& look,
                                   JobContext& job)
{
    constexpr std::size_t kMostValues = std::size_t{1} << 28; // 1 GiB
    std::size_t numKept = 0;
    for (const auto& [layer, stage] : m_places)
    {
        HEADSCOPE_TRY(const PlaceVectors place, load(input, layer, stage, job));
        look(*place.documents);
        numKept += place.documents->values().size() + (place.queries ? place.queries->values().size() : 0);
        if (numKept <= kMostValues)
            m_kept.push_back(place);
    }
    return {};
}

Result<PlaceVectors> EvaluatedVectors::take(const CacheInput& input, std::size_t at, JobContext& job)
{
    if (at < m_kept.size())
        return std::exchange(m_kept[at], {});
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
