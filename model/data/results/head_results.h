// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "model/data/origin.h"
#include "model/data/results/interval.h"
#include "model/data/stage.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

class Fields;
struct Field;

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

/// As many shufflings of labels as may be asked for.
inline constexpr std::int64_t kMaxPermutations = 1'000'000;

/// Which estimate of linear centred kernel alignment (CKA).
enum class CkaMethod
{
    Debiased, ///< 0 on average for unrelated vectors, whatever the number of documents; may be negative
    Biased,   ///< as it is usually written: grows as documents become fewer
};
/// "debiased" or "biased".
[[nodiscard]] std::string_view ckaName(CkaMethod method);
/// Declares --cka.
Field& ckaField(Fields& f, CkaMethod& method, std::string about);

/// How similar the heads are, by three measures, each [H, H], symmetric.
struct HeadRedundancy
{
    MatrixD cka; ///< linear CKA of the heads' document matrices; NaN beside a head without variance
    CkaMethod method = CkaMethod::Debiased;
    /// 95% intervals of `cka` by jackknife over documents, [H, H]; empty for the biased estimate.
    MatrixD ckaLow;
    MatrixD ckaHigh;
    double meanCka = std::numeric_limits<double>::quiet_NaN(); ///< over the pairs of different heads that have a value
    Interval meanCkaCi95;                                      ///< of `meanCka`, as above
    std::int64_t pairs = 0;                                    ///< that `meanCka` counts
    std::int64_t documents = 0;                                ///< finite in every head
    MatrixD meanCosine;                                        ///< cosine of the mean raw vectors
    MatrixD neighborOverlap; ///< share of common documents among the k nearest, mean over documents
    int neighbors = 10;

    /// `neighborOverlap` of heads whose neighbours have nothing to do with each other.
    [[nodiscard]] double neighborChance() const
    {
        return static_cast<double>(neighbors) / static_cast<double>(documents - 1);
    }
};

/// The heads laid out in the plane, [H, 2]: distances approximate 1 - similarity.
struct HeadPlanes
{
    MatrixD cka;
    MatrixD meanCosine;
    MatrixD neighborOverlap;
};

/// What the cosines of documents with topics are compared by.
enum class SelectivityMode
{
    Centred, ///< each topic's mean over all labelled documents is taken away first
    Raw,     ///< as they are: mostly says how near a topic's name is to everything
};

/// With what a head's ranking of documents is compared.
enum class FollowsMode
{
    Rest,  ///< the full vector; of a segment of stage 3 without the segment's own numbers
    Whole, ///< the full vector, of which a segment of stage 3 is a part
};

/// How heads are held against labels.
struct HeadAnswerOptions
{
    SelectivityMode selectivity = SelectivityMode::Centred;
    FollowsMode follows = FollowsMode::Rest;
    std::int64_t permutations = kDefaultPermutations; ///< of the labels among the labelled documents; 0: no p values
    std::uint64_t seed = 1;

    friend bool operator==(const HeadAnswerOptions&, const HeadAnswerOptions&) = default;
};

/// Declares how heads are held against labels.
void fields(Fields& f, HeadAnswerOptions& o);

/// A number of each head beside what it is when labels are shuffled among the documents.
struct TestedNumbers
{
    std::vector<double> value;         ///< [H]
    std::vector<Interval> ci95;        ///< [H]
    std::vector<PermutationNull> null; ///< [H]
    std::vector<double> q;             ///< [H] p after Benjamini-Hochberg over these heads
};

/// How well every head agrees with the labels, [H] each; NaN where a head has no usable vector.
struct HeadTopicStatistics
{
    HeadAnswerOptions options;
    std::int64_t documents = 0;         ///< labelled
    std::int64_t topics = 0;            ///< that documents are held against
    std::vector<double> meanSimilarity; ///< cosine with the own topic, mean over labelled documents
    std::vector<double> sdSimilarity;
    /// Share of the variance of these cosines (less the topics' means: SelectivityMode) that lies between topics,
    /// without the part that any labels give (epsilon squared): 0 on average where topics do not differ, where single
    /// values may be negative; interval by jackknife. NaN where no topic has two documents.
    TestedNumbers selectivity;
    TestedNumbers etaSquared;          ///< the share as it is in these documents: above 0 for any labels
    std::string selectivityMissing;    ///< why there is none
    std::vector<double> followsFull;   ///< Spearman with the full vector inside topics, mean over topics
    std::vector<Interval> followsCi95; ///< of followsFull, by jackknife over documents
    TestedNumbers match;               ///< share of documents whose own topic is the nearest; Wilson's interval
    double matchChance = std::numeric_limits<double>::quiet_NaN(); ///< 1 / topics
    double majority = 0; ///< share of the commonest label: what always naming it matches
    std::vector<double> evenness;
    std::vector<double> topSimilarity;  ///< mean cosine of the top topic's documents with it
    std::vector<std::int32_t> topTopic; ///< code of the topic with the largest topExcess, -1 for none
    /// Mean cosine of a topic's documents with it, less its mean over all labelled documents (Raw: nothing less), the
    /// largest over topics; tested against the largest over topics of shuffled labels. No interval.
    TestedNumbers topExcess;
};

/// All statistics of the heads of one layer and stage, over all documents or some.
struct HeadReport
{
    Stage stage = Stage::HeadOutput;
    LayerIndex layer;
    std::int64_t documents = 0;                 ///< looked at
    std::int64_t allDocuments = 0;              ///< of the cache
    std::vector<HeadStatistics> statistics;     ///< [H]
    std::optional<HeadTopicStatistics> answers; ///< without labels or topic vectors there are none
    std::vector<std::string> topTopic;          ///< [H] names; "" for none
    std::string topicVectors{};                 ///< what the topics are ("names"); "": not said
    std::optional<HeadRedundancy> redundancy;
    HeadPlanes planes;  ///< empty without redundancy
    std::string notice; ///< why answers or redundancy are missing
    Origin origin{};
};

} // namespace headscope
