// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "model/data/origin.h"
#include "model/data/stage.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// How strong and how spread out the vectors of one head are over a set of documents.
struct HeadStatistics
{
    std::int64_t head = 0;      ///< 0-based
    std::int64_t documents = 0; ///< that counted: finite, for the spread also not zero
    double meanNorm = 0;        ///< mean strength
    double sdNorm = 0;          ///< population standard deviation of the strengths
    double spread = 0; ///< mean cosine distance over all ordered pairs, self included: 1 - |mean unit vector|^2
    double spreadWithoutSelf = 0; ///< the same without the pairs (j, j)
    double score = 0;             ///< meanNorm x spread, the head score of multi-head retrieval
};

/// How similar the heads are, by three measures, each [H, H], symmetric.
struct HeadRedundancy
{
    MatrixD cka;             ///< linear centred kernel alignment of the heads' document matrices
    MatrixD meanCosine;      ///< cosine of the mean raw vectors
    MatrixD neighborOverlap; ///< share of common documents among the k nearest, mean over documents
    int neighbors = 10;
};

/// The heads laid out in the plane, [H, 2]: distances approximate 1 - similarity.
struct HeadPlanes
{
    MatrixD cka;
    MatrixD meanCosine;
    MatrixD neighborOverlap;
};

/// How well every head agrees with the labels, [H] each; NaN where a head has no usable vector.
struct HeadAnswers
{
    std::vector<double> meanSimilarity; ///< cosine with the own topic, mean over labelled documents
    std::vector<double> sdSimilarity;
    std::vector<double> selectivity; ///< share of the variance that lies between topics
    std::vector<double> followsFull; ///< Spearman with the full vector inside topics, mean over topics
    std::vector<double> match;       ///< share of documents whose own topic is the nearest
    std::vector<double> evenness;
    std::vector<double> topSimilarity;
    std::vector<std::int32_t> topTopic; ///< code of the topic with the largest mean similarity, -1 for none
};

/// All statistics of the heads of one layer and stage, over all documents or some.
struct HeadReport
{
    Stage stage = Stage::HeadOutput;
    LayerIndex layer;
    std::int64_t documents = 0;             ///< looked at
    std::int64_t allDocuments = 0;          ///< of the cache
    std::vector<HeadStatistics> statistics; ///< [H]
    std::optional<HeadAnswers> answers;     ///< without labels or topic vectors there are none
    std::vector<std::string> topTopic;      ///< [H] names; "" for none
    std::optional<HeadRedundancy> redundancy;
    HeadPlanes planes;  ///< empty without redundancy
    std::string notice; ///< why answers or redundancy are missing
    Origin origin{};
};

/// One step of taking heads (or whole KV groups) away.
struct PruningStep
{
    std::int64_t unit = -1; ///< head or group removed (backward, single) or added (forward); -1 for the starting point
    double value = 0;       ///< the measure afterwards
    std::int64_t hits = 0;  ///< documents that the value counts, where it is a share of documents
    std::int64_t parametersSaved = 0; ///< of this layer's attention, in all steps so far
    std::int64_t kvBytesSaved = 0;    ///< per token in this layer at 2 bytes a value; only whole groups save any
    bool onFront = false;             ///< no other step is at least as good in value and savings and better in one
};

/// Measures of the heads that are switched on, and of all heads for comparison.
struct MaskValues
{
    static constexpr std::array<std::int64_t, 3> kMatchAt = {1, 5, 10};

    std::vector<bool> kept;           ///< [H]
    std::array<double, 3> match{};    ///< share of labelled documents, NaN without topics
    std::array<double, 3> matchAll{}; ///< the same of all heads
    std::int64_t topics = 0;          ///< number of topics in the match; 0: none
    std::optional<double> retrieval;  ///< success ratio at 10, where relevant documents are known
    std::optional<double> retrievalAll;
    std::optional<double> probe; ///< accuracy of a probe for the label; set later, because it has to be fitted
    std::optional<double> probeAll;
    std::int64_t parametersSaved = 0;
    std::int64_t kvBytesSaved = 0;
    std::int64_t documents = 0;    ///< looked at
    std::int64_t allDocuments = 0; ///< of the cache
    Origin origin{};
};

} // namespace headscope
