// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/results/interval.h"
#include "model/data/stage.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace headscope
{

/// What vectors are held against.
enum class EvaluationTask
{
    Retrieval,      ///< documents judged for queries
    Similarity,     ///< pairs of documents with a value
    Clustering,     ///< labels against clusters
    Classification, ///< labels predicted of held-out documents
};

/// "retrieval", "similarity", "clustering", "classification".
[[nodiscard]] constexpr std::string_view taskName(EvaluationTask task)
{
    constexpr std::array<std::string_view, 4> kNames = {"retrieval", "similarity", "clustering", "classification"};
    return kNames[static_cast<std::size_t>(task)];
}

/// The measures of all tasks, in the order of the tasks; the first of a task is its main one.
enum class EvaluationMeasure
{
    Ndcg,
    Recall,
    Mrr,
    Map,
    Spearman,
    Pearson,
    VMeasure,
    AdjustedRand,
    Accuracy,
};
inline constexpr std::size_t kEvaluationMeasures = 9;

/// The measures of a task: the first, and how many.
[[nodiscard]] constexpr std::pair<EvaluationMeasure, std::int64_t> measuresOf(EvaluationTask task)
{
    constexpr std::array<std::pair<EvaluationMeasure, std::int64_t>, 4> kOf = {
        std::pair{EvaluationMeasure::Ndcg, 4}, std::pair{EvaluationMeasure::Spearman, 2},
        std::pair{EvaluationMeasure::VMeasure, 2}, std::pair{EvaluationMeasure::Accuracy, 1}};
    return kOf[static_cast<std::size_t>(task)];
}

/// Some vectors of every document, and how well they do a task.
struct EvaluatedUnit
{
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

    EvaluationTask task = EvaluationTask::Retrieval;
    LayerIndex layer;
    Stage stage = Stage::HeadOutput;
    std::string unit;         ///< "full", "layer", "head 3", "segment 3", "group 1"
    bool isReference = false; ///< what the others are compared with
    std::int64_t n = 0;       ///< queries, pairs, or documents of which the measures are
    std::array<double, kEvaluationMeasures> values = [] {
        std::array<double, kEvaluationMeasures> none{};
        none.fill(kNone);
        return none;
    }();
    /// What documents in random order, or a guess, get on average; NaN where it is not known.
    std::array<double, kEvaluationMeasures> chance = values;
    std::array<Interval, kEvaluationMeasures> ci95{}; ///< bootstrap over the n; NaN where they are few
    double difference = kNone;                        ///< of the main measure to that of the full vector
    Interval differenceCi95;                          ///< paired: the same resamples
    double p = kNone;
    double q = kNone; ///< Benjamini-Hochberg over the units of the task

    [[nodiscard]] double& value(EvaluationMeasure measure) { return values[static_cast<std::size_t>(measure)]; }
    [[nodiscard]] double value(EvaluationMeasure measure) const { return values[static_cast<std::size_t>(measure)]; }
};

} // namespace headscope
