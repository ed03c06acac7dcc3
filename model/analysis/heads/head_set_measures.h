// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/matrix.h"
#include "model/data/results/interval.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace headscope
{

/// The score of a set of heads, whose vectors are concatenated to one per document.
struct HeadSetScore
{
    double value = 0;      ///< 0..1
    std::int64_t hits = 0; ///< documents that the value counts, where it is a share of documents
};

/// A measure of sets of heads. Documents in which any head is not finite are left out of all of them.
class HeadSetMeasure
{
public:
    virtual ~HeadSetMeasure() = default;
    [[nodiscard]] virtual std::int64_t heads() const = 0;
    /// What the heads are: a segment is no part of a model.
    [[nodiscard]] virtual Stage stage() const = 0;
    /// Documents (or queries) that are scored one by one; the measure is their mean.
    [[nodiscard]] virtual std::int64_t scored() const = 0;
    /// The score of a document of which all is found, in the whole numbers of scores().
    [[nodiscard]] virtual std::int32_t fullScore() const { return 1; }
    /// Documents left out because a vector of theirs is not finite.
    [[nodiscard]] virtual std::int64_t leftOut() const = 0;
    /// The measure of the kept heads with those of each set flipped: kept ones taken away, others added.
    /// An empty set asks for the kept heads themselves; no heads at all score 0.
    /// @param kept  [H]
    /// @return one score for each set
    /// @errors Cancelled
    /// @threads reentrant; uses numThreads threads; result independent of their number
    [[nodiscard]] virtual Result<std::vector<HeadSetScore>> flipped(const std::vector<bool>& kept,
                                                                    std::span<const std::vector<std::int64_t>> flips,
                                                                    int numThreads, JobContext& job) const = 0;
    /// The score of every document under the same sets, in whole numbers up to fullScore(): what intervals and halves
    /// are made of. Their mean over fullScore() is the value of flipped().
    /// @return [sets][scored()]
    /// @errors Cancelled
    /// @cost   that of flipped(), and 4 scored() bytes a set
    [[nodiscard]] virtual Result<std::vector<std::vector<std::int32_t>>>
    scores(const std::vector<bool>& kept, std::span<const std::vector<std::int64_t>> flips, int numThreads,
           JobContext& job) const = 0;
    /// Whether what is scored are documents that the others find: each left out changes the scores of others, too.
    [[nodiscard]] virtual bool findsItself() const { return false; }
    /// Where findsItself(): the value of each set were one document not there, neither to ask nor to be found. What
    /// a jackknife is made of.
    /// @return [sets][documents that are finite]
    /// @errors Cancelled
    /// @cost   that of flipped()
    [[nodiscard]] virtual Result<std::vector<std::vector<double>>>
    leftOutValues(const std::vector<bool>&, std::span<const std::vector<std::int64_t>>, int, JobContext&) const
    {
        return std::vector<std::vector<double>>();
    }

protected:
    HeadSetMeasure() = default;
    HeadSetMeasure(const HeadSetMeasure&) = default;
    HeadSetMeasure(HeadSetMeasure&&) = default;
    HeadSetMeasure& operator=(const HeadSetMeasure&) = default;
    HeadSetMeasure& operator=(HeadSetMeasure&&) = default;
};

/// Match at k of the concatenation of any set of heads: products and squared lengths of heads add up,
/// so that one more or one less is one addition a document and topic.
///
/// A labelled document is matched at k when fewer than k topics come before its own; a topic comes
/// before when its cosine is larger, or equal with a lower number. A document without a direction
/// (all its heads zero) is never matched; a topic without one has cosine 0.
class HeadMatch : public HeadSetMeasure
{
public:
    /// @param documents  [N, H, D]
    /// @param topics     [T, H, D] of the same stage and layer
    /// @param labels     [N] topic of each document, -1 = none
    /// @param k          what flipped() counts; hits() takes any
    /// @errors ShapeMismatch, Cancelled
    /// @cost   O(N T H D) once; then O(N T |kept|) for each call of flipped() and O(N T) for each flipped head
    [[nodiscard]] static Result<HeadMatch> create(const HeadVectors& documents, const HeadVectors& topics,
                                                  std::span<const std::int32_t> labels, std::int64_t k, int numThreads,
                                                  JobContext& job);

    [[nodiscard]] std::int64_t labelled() const { return static_cast<std::int64_t>(m_label.size()); }
    [[nodiscard]] std::int64_t topics() const { return m_topics; }
    /// What flipped() counts.
    [[nodiscard]] std::int64_t k() const { return m_k; }
    /// Whether nothing else can come out: as many nearest topics count as there are, or all documents have one label.
    [[nodiscard]] bool isCertain() const;
    [[nodiscard]] std::int64_t heads() const override { return m_heads; }
    [[nodiscard]] Stage stage() const override { return m_stage; }
    [[nodiscard]] std::int64_t scored() const override { return labelled(); }
    [[nodiscard]] std::int64_t leftOut() const override { return m_leftOut; }
    /// Number of documents that the concatenation of these heads matches at k.
    [[nodiscard]] std::int64_t hits(std::span<const std::int64_t> heads, std::int64_t k) const;
    /// Which ones: 1 or 0. [labelled()]
    [[nodiscard]] std::vector<std::int32_t> matched(std::span<const std::int64_t> heads, std::int64_t k) const;
    /// The match of all heads at k of create() where labels are shuffled among the documents: draw b is
    /// permutedLabels(labels, Draws(seed), b).
    /// @cost   O(n T (H + T)) and O(n) a draw; n T bytes
    [[nodiscard]] PermutationNull nullOfAll(std::int64_t draws, std::uint64_t seed) const;
    [[nodiscard]] Result<std::vector<HeadSetScore>> flipped(const std::vector<bool>& kept,
                                                            std::span<const std::vector<std::int64_t>> flips,
                                                            int numThreads, JobContext& job) const override;
    [[nodiscard]] Result<std::vector<std::vector<std::int32_t>>>
    scores(const std::vector<bool>& kept, std::span<const std::vector<std::int64_t>> flips, int numThreads,
           JobContext& job) const override;

private:
    /// Sums over a set of heads.
    struct Sums
    {
        std::vector<double> products;                 ///< [n, T]
        std::vector<double> documentSquares;          ///< [n]
        std::vector<double> topicSquares;             ///< [T]
        std::vector<std::int64_t> documentDirections; ///< [n] heads that are not zero
        std::vector<std::int64_t> topicDirections;    ///< [T]
    };
    void addHead(std::int64_t head, double sign, Sums& sums) const;
    [[nodiscard]] std::vector<std::int32_t> matchedOf(const Sums& sums, std::int64_t k) const;
    [[nodiscard]] std::vector<std::int32_t> matchedOf(const Sums& sums, std::span<const std::int32_t> labels,
                                                      std::int64_t k) const;

    Stage m_stage = Stage::HeadOutput;
    std::int64_t m_heads = 0;
    std::int64_t m_topics = 0;
    std::int64_t m_k = 1;
    std::int64_t m_leftOut = 0;
    std::vector<std::int32_t> m_label;     // [n] labelled documents only
    std::vector<double> m_products;        // [H, n, T] document . topic
    std::vector<double> m_documentSquares; // [H, n]
    std::vector<double> m_topicSquares;    // [H, T]
};

/// Accuracy of a logistic probe that tells the label of a document from the concatenation of the chosen heads:
/// trained on one part of the documents, tested on the other, the same parts for every set.
class HeadTopicProbe : public HeadSetMeasure
{
public:
    /// @param documents  [N, H, D]; must outlive the measure
    /// @param labels     [N] class of each document, -1 = none
    /// @param testShare  of the documents, by a seeded shuffle
    /// @errors InvalidArgument (fewer than 2 classes among the documents, none left to train or test)
    /// @cost   one fit for every set
    [[nodiscard]] static Result<HeadTopicProbe>
    create(const HeadVectors& documents, std::span<const std::int32_t> labels, double testShare, std::uint64_t seed);

    [[nodiscard]] std::int64_t heads() const override { return m_documents->heads(); }
    [[nodiscard]] Stage stage() const override { return m_documents->stage(); }
    [[nodiscard]] std::int64_t scored() const override { return tested(); }
    [[nodiscard]] std::int64_t leftOut() const override { return m_leftOut; }
    /// Of the tested documents, the share of the label that most of the training ones have: what always saying it gets.
    [[nodiscard]] double majority() const;
    /// 1 / labels: what guessing gets.
    [[nodiscard]] double guessing() const { return 1 / static_cast<double>(m_classes); }
    /// The larger of the two: a label that is frequent in the training is rare in the test, so that naming it always
    /// may get less than guessing.
    [[nodiscard]] double chance() const { return std::max(majority(), guessing()); }
    [[nodiscard]] std::int64_t tested() const { return static_cast<std::int64_t>(m_test.size()); }
    [[nodiscard]] std::int64_t trained() const { return static_cast<std::int64_t>(m_train.size()); }
    [[nodiscard]] Result<std::vector<HeadSetScore>> flipped(const std::vector<bool>& kept,
                                                            std::span<const std::vector<std::int64_t>> flips,
                                                            int numThreads, JobContext& job) const override;
    [[nodiscard]] Result<std::vector<std::vector<std::int32_t>>>
    scores(const std::vector<bool>& kept, std::span<const std::vector<std::int64_t>> flips, int numThreads,
           JobContext& job) const override;

private:
    [[nodiscard]] Result<std::vector<std::int32_t>> scoresOf(const std::vector<std::int64_t>& heads, int numThreads,
                                                             JobContext& job) const;

    const HeadVectors* m_documents = nullptr;
    std::int64_t m_classes = 0;
    std::int64_t m_leftOut = 0;
    std::vector<std::int32_t> m_class; // [N], -1 = none; numbered by those that occur
    std::vector<std::int64_t> m_train; // documents
    std::vector<std::int64_t> m_test;
};

/// A query with the documents that it should find.
struct RelevantQuery
{
    std::int64_t query = 0;             ///< row of the query vectors
    std::int64_t self = -1;             ///< the document that the query is, left out of its results; -1: none
    std::vector<std::int64_t> relevant; ///< documents, at least one, without repeats
};

/// Recall at n of retrieval by the cosine of the chosen heads' concatenation, without votes: the share of a query's
/// relevant documents among the n nearest (ties: lower document), mean over the queries. Documents and queries with
/// NaN, infinity or nothing but zeros are left out, also of what is relevant. Of the others, a set of heads in which a
/// document is zero does not find it, and one in which a query is zero finds nothing for it.
class HeadRetrieval : public HeadSetMeasure
{
public:
    /// Shares of up to 16 relevant documents are whole numbers of it; others are rounded to one.
    static constexpr std::int32_t kFullScore = 720'720;

    /// @param documents  [N, H, D]
    /// @param queries    [Q, H, D]
    /// @errors ShapeMismatch, InvalidArgument (no query), OutOfMemory, Cancelled
    /// @cost   O(Q N H D) once and 4 Q N H bytes; then O(Q N |kept|) for each call of flipped() and O(Q N) for each
    ///         set
    [[nodiscard]] static Result<HeadRetrieval> create(const HeadVectors& documents, const HeadVectors& queries,
                                                      std::vector<RelevantQuery> relevant, std::int64_t n,
                                                      int numThreads, JobContext& job);

    [[nodiscard]] std::int64_t heads() const override { return m_heads; }
    [[nodiscard]] Stage stage() const override { return m_stage; }
    [[nodiscard]] std::int64_t scored() const override { return queries(); }
    [[nodiscard]] std::int32_t fullScore() const override { return kFullScore; }
    [[nodiscard]] std::int64_t leftOut() const override { return m_leftOut; }
    [[nodiscard]] std::int64_t queries() const { return static_cast<std::int64_t>(m_queries.size()); }
    /// The value of documents in random order, exactly.
    [[nodiscard]] double chance() const;
    [[nodiscard]] Result<std::vector<HeadSetScore>> flipped(const std::vector<bool>& kept,
                                                            std::span<const std::vector<std::int64_t>> flips,
                                                            int numThreads, JobContext& job) const override;
    [[nodiscard]] Result<std::vector<std::vector<std::int32_t>>>
    scores(const std::vector<bool>& kept, std::span<const std::vector<std::int64_t>> flips, int numThreads,
           JobContext& job) const override;
    [[nodiscard]] bool findsItself() const override;
    [[nodiscard]] Result<std::vector<std::vector<double>>>
    leftOutValues(const std::vector<bool>& kept, std::span<const std::vector<std::int64_t>> flips, int numThreads,
                  JobContext& job) const override;

private:
    /// What one query finds with one set of heads.
    struct Found
    {
        std::vector<std::int64_t> documents; ///< the n nearest
        std::int64_t hits = 0;               ///< of them relevant
        bool nextIsRelevant = false;         ///< the one behind them, which comes in where one of them goes
    };
    /// What the sum and the number of values change by without a document.
    struct Without
    {
        std::int64_t document = 0;
        double sum = 0;
        std::int64_t count = 0;
    };
    /// Of one query, over a set of heads.
    struct Sums
    {
        std::vector<double> products; ///< [N]
        std::vector<double> squares;  ///< [N]
        std::vector<int> directions;  ///< [N] heads in which the document has a direction
        int queryDirections = 0;      ///< heads in which the query has one
    };
    using FoundBy = std::function<void(std::int64_t query, std::size_t set, const Found&)>;

    [[nodiscard]] Found foundBy(const RelevantQuery& query, const Sums& sums) const;
    /// Calls `take` for the queries from `from` to `to` - 1 and every set, from several threads.
    [[nodiscard]] Status search(std::int64_t from, std::int64_t to, const std::vector<bool>& kept,
                                std::span<const std::vector<std::int64_t>> flips, int numThreads, JobContext& job,
                                const FoundBy& take) const;
    [[nodiscard]] std::vector<Without> withoutEach(const RelevantQuery& query, const Found& found) const;
    /// The success of every query under every set, [queries, sets].
    [[nodiscard]] Result<MatrixD> successes(const std::vector<bool>& kept,
                                            std::span<const std::vector<std::int64_t>> flips, int numThreads,
                                            JobContext& job) const;

    Stage m_stage = Stage::HeadOutput;
    std::int64_t m_heads = 0;
    std::int64_t m_n = 10;
    std::int64_t m_leftOut = 0;
    std::vector<RelevantQuery> m_queries;
    std::vector<bool> m_usable;            // [N]
    std::vector<float> m_products;         // [H, Q, N]
    std::vector<double> m_documentSquares; // [H, N]; 0 of those that are not usable
    std::vector<bool> m_queryPoints;       // [H, Q] whether the query has a direction in the head
};

} // namespace headscope
