// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/topics/topics.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/topic_vectors.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/full_vectors.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Categories of a label column that were merged, and the topic vectors that stand for them.
struct MergedTopics
{
    std::vector<std::int64_t> rows; ///< of each category: the row of its topic vector in the cache
    std::vector<std::string> names; ///< of the categories
};

/// Which topic vectors stand for the categories of a label column.
struct TopicChoice
{
    std::string column;                                ///< of the cache's topic vectors
    std::optional<MergedTopics> merged = std::nullopt; ///< none: the categories are those of the cache
    bool fewAreTaken = false;                          ///< the analysis takes some of them: kMaxTopics does not count
    TopicVectorKind kind = TopicVectorKind::Names;
};

/// The most categories of a label column whose names are topics. What compares every document with every topic, or
/// every two topics, takes minutes and gigabytes beyond; a column of more names the documents themselves.
constexpr std::size_t kMaxTopics = 4'096;
/// @errors InvalidArgument (more than kMaxTopics)
[[nodiscard]] Status expectTopics(std::size_t categories, std::string_view column);

/// The topic vectors of one layer and stage, and the full vectors of documents and topics; rows of topics are those
/// of the choice.
struct LoadedTopics
{
    TopicVectors topics;
    FullPair full;
};

/// Puts prepared vectors (prepareTopics) in the place of those that were read: topics, both full ones, and documents.
/// @param members  as TopicVectorSet::members
/// @errors those of prepareTopics
[[nodiscard]] Status prepareLoaded(LoadedTopics& loaded, std::shared_ptr<const HeadVectors>& documents,
                                   Matrix<std::int64_t>& members, const LabelColumn& labels,
                                   const TopicVectorChoice& choice, int numThreads, JobContext& job);

/// What the topics of a result are, for people: "names in "Text about {}."".
[[nodiscard]] std::string topicVectorsText(const TopicVectorChoice& choice, std::string_view topicTemplate);

/// A sentence on vectors of names that say nothing of their topics, with what helps; "" where there is nothing to say.
/// @param documents, topics  as they were read, neither centred nor centroids
[[nodiscard]] std::string topicFaultNotice(const HeadVectors& documents, const HeadVectors& topics,
                                           const LabelColumn& labels);

/// Reads the topic vectors that analyses of a label column go by: the one place for shell and window. With centroids
/// none are read, and the topics stay without vectors until prepareLoaded().
/// @param known  full vectors that an earlier call gave for the same choice, where they are the same for this stage
///               too: they are shared, not read again; null: they are read
/// @errors those of CacheReader::topics and fullVectors; InvalidArgument (more than kMaxTopics)
/// @cost   reads the vectors of all documents, unless `known` is there
[[nodiscard]] Result<LoadedTopics> loadTopics(CacheReader& cache, LayerIndex layer, Stage stage,
                                              const TopicChoice& choice, JobContext& job,
                                              const FullPair* known = nullptr);

/// Why a result goes without topics, as a notice; nothing where the cache has topic vectors for this column.
/// @param column   empty: there are no labels
/// @param kind     centroids need labels alone
/// @param leftOut  what the result goes without: "similarity and match are"
[[nodiscard]] std::optional<std::string> whyNoTopics(const CacheReader& cache, std::string_view column,
                                                     LayerIndex layer, Stage stage, std::string_view leftOut,
                                                     TopicVectorKind kind = TopicVectorKind::Names);

/// What topic analyses take. All of it has to outlive the input.
/// @param labels   the categories of the documents in the order of the topics; null: the documents have none
/// @param members  as TopicVectorSet::members
[[nodiscard]] TopicInput topicInput(const HeadVectors& documents, const HeadVectors& topics, const FullPair& full,
                                    const LabelColumn* labels, const Matrix<std::int64_t>& members = {});

} // namespace headscope
