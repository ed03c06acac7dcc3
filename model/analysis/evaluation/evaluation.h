// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/evaluation/graded_ranking.h"
#include "model/analysis/statistics/intervals.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/results/measures/evaluation_results.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace headscope
{

/// Queries with what was judged for them.
struct RetrievalTask
{
    std::vector<std::vector<Judgement>> judged; ///< [J] each with a relevant document
    std::vector<std::int64_t> own;              ///< [J] the document that a query is, -1: none
    std::int64_t k = 10;                        ///< results that count
    std::vector<bool> findable;                 ///< [N] whether a document can be found; empty: all can
};

/// Pairs of documents whose similarity somebody gave.
struct SimilarityTask
{
    std::vector<std::int64_t> first;  ///< [P] documents
    std::vector<std::int64_t> second; ///< [P]
    std::vector<double> gold;         ///< [P] finite
};

/// Labelled documents: all are clustered, and a part trains a classifier that names the rest.
struct LabelTask
{
    std::vector<std::int64_t> documents; ///< [n] whose vectors are finite
    std::vector<std::int32_t> labels;    ///< [n] from 0, each in use
    std::int64_t numLabels = 0;
    std::vector<std::int64_t> train; ///< rows of `documents`
    std::vector<std::int64_t> test;  ///< the others
    double majority = 0;             ///< accuracy of always predicting the commonest label of `train`
    std::uint64_t seed = 1;          ///< of the clusters
};

/// Labels of documents as a task: codes in use are numbered anew, and a fifth of the documents is held out, at random.
/// @param codes   [N], -1: none
/// @param usable  [N] whether the document has finite vectors
[[nodiscard]] LabelTask labelTask(std::span<const std::int32_t> codes, const std::vector<bool>& usable,
                                  std::uint64_t seed);

/// Takes the measures of one set of vectors after another, on the same resamples, and compares them at the end.
class Evaluation
{
public:
    Evaluation(const BootstrapOptions& options, int numThreads) : m_options(options), m_numThreads(numThreads) {}

    // What a set of vectors is: task, n and values are filled in.
    // @param documents  [N, D]
    // @errors Cancelled, OutOfMemory

    /// @param queries  [J, D]
    [[nodiscard]] Status addRetrieval(EvaluatedUnit unit, ConstMatrixView documents, ConstMatrixView queries,
                                      const RetrievalTask& task, JobContext& job);
    /// The same for rankings that were made otherwise. A query that ranks nothing has found nothing; where none ranks
    /// anything, there are no values.
    /// @param ranking    [J, n] documents, best first; -1 where there are no more
    /// @param documents  that were ranked, or could not be found
    void addRankings(EvaluatedUnit unit, const Matrix<std::int32_t>& ranking, const RetrievalTask& task,
                     std::int64_t documents);
    [[nodiscard]] Status addSimilarity(EvaluatedUnit unit, ConstMatrixView documents, const SimilarityTask& task,
                                       JobContext& job);
    /// Both tasks of labels: k-means with as many clusters as labels, and multinomial logistic regression (C = 1).
    [[nodiscard]] Status addLabels(EvaluatedUnit unit, ConstMatrixView documents, const LabelTask& task,
                                   JobContext& job);

    /// All units, task after task in the order they were added, with intervals, and differences to the reference of
    /// the task, if there is one. Measures of fewer than kMinResampled queries, pairs or documents have no interval and
    /// no p: so few are drawn again into much the same ones.
    /// @errors Cancelled
    [[nodiscard]] Result<std::vector<EvaluatedUnit>> finish(JobContext& job);

private:
    /// The units of a task whose measures are means over the same n: of their scores the resamples are taken at the
    /// end.
    struct Means
    {
        std::vector<EvaluatedUnit> units;
        std::vector<MatrixD> scores; ///< of each [n, measures]
    };
    /// The units of a task whose resamples are taken as they are added.
    struct Resamples
    {
        std::vector<EvaluatedUnit> units;
        std::vector<MatrixD> values; ///< of each [B, measures]
    };

    [[nodiscard]] Status addClusters(EvaluatedUnit unit, ConstMatrixView rows, const LabelTask& task, JobContext& job);
    [[nodiscard]] Status addClassifier(EvaluatedUnit unit, ConstMatrixView rows, const LabelTask& task,
                                       JobContext& job);
    [[nodiscard]] Result<Resamples> resamplesOf(const Means& means, JobContext& job) const;

    BootstrapOptions m_options;
    int m_numThreads = 1;
    std::vector<double> m_retrievalChance; ///< of the measures; the same for all vectors of a task
    Means m_retrieval;
    Resamples m_similarity;
    Resamples m_clustering;
    Means m_classification;
};

} // namespace headscope
