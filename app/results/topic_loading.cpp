// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/topic_loading.h"

#include "model/data/head_vectors.h"

#include <fmt/format.h>

namespace headscope::results
{

Status expectTopics(std::size_t categories, std::string_view column)
{
    if (categories <= kMostTopics)
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected at most {} topics, found {} in column \"{}\": labels that name single documents "
                             "are no topics; choose another column, or merge them",
                             kMostTopics, categories, column),
                 {},
                 {}};
}

Result<LoadedTopics> loadTopics(CacheReader& cache, LayerIndex layer, Stage stage, const TopicChoice& choice,
                                JobContext& job, const FullPair* known)
{
    LoadedTopics loaded;
    HEADSCOPE_TRY(loaded.topics, cache.topics(choice.column, layer, stage, job));
    if (choice.merged)
    {
        loaded.topics.vectors = takeRows(loaded.topics.vectors, choice.merged->rows);
        loaded.topics.names = choice.merged->names;
    }
    if (!choice.fewAreTaken)
        HEADSCOPE_CHECK(expectTopics(loaded.topics.names.size(), choice.column));
    if (known != nullptr)
    {
        loaded.full = *known;
        return loaded;
    }
    HEADSCOPE_TRY(loaded.full, fullVectors(cache, layer, stage, choice.column, job));
    if (choice.merged)
        loaded.full.topics.vectors = takeRows(loaded.full.topics.vectors, choice.merged->rows);
    return loaded;
}

std::optional<std::string> lackOfTopics(const CacheReader& cache, std::string_view column, LayerIndex layer,
                                        Stage stage, std::string_view leftOut)
{
    if (column.empty())
        return fmt::format("the cache has no labels: {} left out", leftOut);
    if (!cache.hasTopics(column, layer, stage))
        return fmt::format("the cache has no topic vectors of \"{}\" here: {} left out", column, leftOut);
    return std::nullopt;
}

TopicInput topicInput(const HeadVectors& documents, const HeadVectors& topics, const FullPair& full,
                      const LabelColumn* labels)
{
    return {&documents, &topics, full.documents.matrix(), full.topics.matrix(), labels, full.documents.source};
}

} // namespace headscope::results
