// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/topic_loading.h"

#include "model/analysis/topics/prepared_topics.h"
#include "model/analysis/topics/topic_faults.h"
#include "model/data/head_vectors.h"

#include <fmt/format.h>

#include <utility>

namespace headscope
{

Status expectTopics(std::size_t categories, std::string_view column)
{
    if (categories <= kMaxTopics)
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected at most {} topics, found {} in column \"{}\"; labels of single documents are "
                             "not topics: choose another column, or merge labels",
                             kMaxTopics, categories, column),
                 {},
                 {}};
}

Result<LoadedTopics> loadTopics(CacheReader& cache, LayerIndex layer, Stage stage, const TopicChoice& choice,
                                JobContext& job, const FullPair* known)
{
    LoadedTopics loaded;
    const bool names = choice.kind == TopicVectorKind::Names;
    if (names)
    {
        HEADSCOPE_TRY(loaded.topics, cache.topics(choice.column, layer, stage, job));
    }
    if (choice.merged && names)
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
    HEADSCOPE_TRY(loaded.full,
                  fullVectors(cache, layer, stage, names ? std::optional(choice.column) : std::nullopt, job));
    if (choice.merged && names)
        loaded.full.topics.vectors = takeRows(loaded.full.topics.vectors, choice.merged->rows);
    return loaded;
}

std::optional<std::string> whyNoTopics(const CacheReader& cache, std::string_view column, LayerIndex layer, Stage stage,
                                       std::string_view leftOut, TopicVectorKind kind)
{
    if (column.empty())
        return fmt::format("the cache has no labels: {} omitted", leftOut);
    if (kind == TopicVectorKind::Names && !cache.hasTopics(column, layer, stage))
        return fmt::format("the cache has no topic vectors of \"{}\" for this layer and stage: {} omitted", column,
                           leftOut);
    return std::nullopt;
}

Status prepareLoaded(LoadedTopics& loaded, std::shared_ptr<const HeadVectors>& documents, Matrix<std::int64_t>& members,
                     const LabelColumn& labels, const TopicVectorChoice& choice, int numThreads, JobContext& job)
{
    if (choice == TopicVectorChoice())
        return {};
    const TopicVectorSet raw{
        documents, loaded.topics.vectors, loaded.full.documents.vectors, loaded.full.topics.vectors, {}};
    HEADSCOPE_TRY(TopicVectorSet ready, prepareTopics(raw, labels, choice, numThreads, job));
    documents = std::move(ready.documents);
    members = std::move(ready.members);
    loaded.topics.vectors = std::move(ready.topics);
    loaded.full.documents.vectors = std::move(ready.fullDocuments);
    loaded.full.topics = {std::move(ready.fullTopics), loaded.full.documents.source};
    if (choice.kind == TopicVectorKind::Centroids)
    {
        loaded.topics.column = labels.name;
        loaded.topics.names = labels.categories;
    }
    return {};
}

std::string topicVectorsText(const TopicVectorChoice& choice, std::string_view topicTemplate)
{
    std::string text = choice.kind == TopicVectorKind::Centroids
                           ? std::string("centroids of each label's documents, without the compared document")
                       : topicTemplate.empty() ? std::string("names")
                                               : fmt::format("names in \"{}\"", topicTemplate);
    return choice.centred ? text + ", centred" : text;
}

std::string topicFaultNotice(const HeadVectors& documents, const HeadVectors& topics, const LabelColumn& labels)
{
    const TopicFaults faults = topicFaults(documents, topics, labels);
    if (!faults.any())
        return {};
    const auto names = [&labels](const std::vector<std::int32_t>& codes) {
        constexpr std::size_t kMaxNamed = 3;
        std::string text;
        for (std::size_t i = 0; i < codes.size() && i < kMaxNamed; ++i)
            text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", labels.categories[static_cast<std::size_t>(codes[i])]);
        return text + (codes.size() > kMaxNamed ? ", ..." : "");
    };
    std::string what;
    if (!faults.tooLong.empty())
        what = fmt::format("{} of {} topic names ({}) have vectors of norm {:.0f}, while documents have vectors of "
                           "norm {:.0f} (medians)",
                           faults.tooLong.size(), labels.categories.size(), names(faults.tooLong), faults.topicLength,
                           faults.documentLength);
    if (!faults.alike.empty())
        what += fmt::format("{}{} ({}) have a cosine of {} or more with another topic", what.empty() ? "" : "; ",
                            fmt::format("{} of {} topic names", faults.alike.size(), labels.categories.size()),
                            names(faults.alike), TopicFaults::kNearOne);
    return what + ", like the states of one-token names in a decoder, which are attention sinks and show little of the "
                  "topic; use --topic-vectors centroids, or extract --topic-template \"Text about {}.\"";
}

TopicInput topicInput(const HeadVectors& documents, const HeadVectors& topics, const FullPair& full,
                      const LabelColumn* labels, const Matrix<std::int64_t>& members)
{
    return {&documents,
            &topics,
            full.documents.matrix(),
            full.topics.matrix(),
            labels,
            full.documents.source,
            members.empty() ? nullptr : &members};
}

} // namespace headscope
