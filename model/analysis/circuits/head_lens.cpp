// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/circuits/head_lens.h"

#include "model/base/parallel.h"
#include "model/kernels/gemm.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::int64_t kLensRows = 64; ///< vectors, or tokens, of a block of one thread

/// Puts a token into a list where it belongs, and drops the last beyond k.
/// @param isBefore  of two values
template <class Before>
void keep(std::vector<TokenLogit>& list, std::size_t k, TokenLogit token, const Before& isBefore)
{
    if (list.size() == k && !isBefore(token.value, list.back().value))
        return;
    const auto place =
        std::ranges::find_if(list, [&](const TokenLogit& other) { return isBefore(token.value, other.value); });
    list.insert(place, token);
    if (list.size() > k)
        list.pop_back();
}

/// gain * v / sqrt(mean v^2 + eps), in place.
void rmsNormed(std::span<float> v, std::span<const float> gain, double eps)
{
    double square = 0;
    for (const float value : v)
        square += static_cast<double>(value) * static_cast<double>(value);
    const double scale = 1 / std::sqrt(square / static_cast<double>(v.size()) + eps);
    for (std::size_t d = 0; d < v.size(); ++d)
        v[d] = static_cast<float>(static_cast<double>(v[d]) * scale * static_cast<double>(gain[d]));
}

/// Rows as the attention of a layer reads them.
MatrixF layerInput(ConstMatrixView rows, const LensLayer& layer)
{
    MatrixF input(rows.rows(), rows.cols());
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        std::ranges::copy(rows.row(i), input.row(i).begin());
        rmsNormed(input.row(i), layer.inputGain, layer.eps);
    }
    return input;
}

/// Rows times a projection [out, Dm], each head behind its own norm, where there is one.
MatrixF projected(ConstMatrixView input, ConstMatrixView weights, std::span<const float> norm, double eps)
{
    MatrixF found(input.rows(), weights.rows());
    if (input.rows() == 0)
        return found;
    gemmNT(input.rows(), weights.rows(), input.cols(), 1, input.data(), input.stride(), weights.data(),
           weights.stride(), 0, found.data(), found.cols());
    for (std::int64_t i = 0; i < found.rows() && !norm.empty(); ++i)
        for (std::size_t begin = 0; begin < static_cast<std::size_t>(found.cols()); begin += norm.size())
            rmsNormed(found.row(i).subspan(begin, norm.size()), norm, eps);
    return found;
}

/// Rows with each value times the gain of its dimension.
MatrixF scaledColumns(ConstMatrixView rows, std::span<const float> gain)
{
    MatrixF scaled(rows.rows(), rows.cols());
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        std::transform(rows.row(i).begin(), rows.row(i).end(), gain.begin(), scaled.row(i).begin(),
                       std::multiplies<>());
    return scaled;
}

} // namespace

void TokenRanking::add(std::span<const float> values, std::int64_t first, const std::vector<bool>& listed)
{
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const auto id = static_cast<std::size_t>(first) + i;
        if (!listed.empty() && !listed[id])
            continue;
        const TokenLogit token{static_cast<std::int64_t>(id), static_cast<double>(values[i])};
        keep(m_lists.up, m_k, token, std::greater());
        keep(m_lists.down, m_k, token, std::less());
    }
}

VocabularyScan::VocabularyScan(MatrixF vectors, std::int64_t k)
    : m_vectors(std::move(vectors)), m_rankings(static_cast<std::size_t>(m_vectors.rows()), TokenRanking(k))
{}

void VocabularyScan::add(ConstMatrixView rows, std::int64_t first, const std::vector<bool>& listed, int numThreads)
{
    parallelFor(numThreads, m_vectors.rows(), kLensRows, [&](std::int64_t begin, std::int64_t end) {
        MatrixF logits(end - begin, rows.rows());
        gemmNT(end - begin, rows.rows(), rows.cols(), 1, m_vectors.row(begin).data(), m_vectors.cols(), rows.data(),
               rows.stride(), 0, logits.data(), logits.cols());
        for (std::int64_t vector = begin; vector < end; ++vector)
            m_rankings[static_cast<std::size_t>(vector)].add(logits.row(vector - begin), first, listed);
    });
}

std::vector<TokenLists> VocabularyScan::take()
{
    std::vector<TokenLists> lists;
    for (TokenRanking& ranking : m_rankings)
        lists.push_back(ranking.take());
    return lists;
}

struct WeightsScan::State
{
    LensLayer layer;
    std::int64_t tokens = 0;              ///< n
    MatrixF queries;                      ///< [n, H Dh] of the tokens
    MatrixF keys;                         ///< [n, KV Dh]
    VocabularyScan written;               ///< [H n] what each head writes on reading each token, behind the last gain
    std::vector<TokenRanking> toKeys;     ///< [H n]
    std::vector<TokenRanking> toQueries;  ///< [H n]
    std::vector<Eigen::MatrixXd> copying; ///< [H] sums over the vocabulary [Dh, Dh]
    bool countsCopied = false;
    std::vector<float> read;               ///< [V, KV Dh] values of all tokens, where copied ones are counted
    std::vector<float> wrote;              ///< [V, H Dh] their unembeddings behind the last gain, through W_O
    std::vector<std::int64_t> copied = {}; ///< [H] or empty

    [[nodiscard]] std::int64_t groupOf(std::int64_t head) const { return head * layer.kvHeads / layer.heads; }

    /// Scores of some tokens with a block of the vocabulary, into the rankings of a head.
    void rank(std::int64_t head, ConstMatrixView own, ConstMatrixView block, std::vector<TokenRanking>& rankings,
              std::int64_t first, const std::vector<bool>& listed) const
    {
        MatrixF scores(own.rows(), block.rows());
        if (own.rows() == 0)
            return;
        gemmNT(own.rows(), block.rows(), layer.headDim,
               static_cast<float>(1 / std::sqrt(static_cast<double>(layer.headDim))), own.data(), own.stride(),
               block.data(), block.stride(), 0, scores.data(), scores.cols());
        for (std::int64_t token = 0; token < tokens; ++token)
            rankings[static_cast<std::size_t>(head * tokens + token)].add(scores.row(token), first, listed);
    }

    /// Of the tokens with each other, [n, n].
    [[nodiscard]] std::vector<double> scoresOf(std::int64_t head) const
    {
        std::vector<double> scores;
        for (std::int64_t query = 0; query < tokens; ++query)
            for (std::int64_t key = 0; key < tokens; ++key)
            {
                const auto asks = queries.row(query).subspan(static_cast<std::size_t>(head * layer.headDim));
                const auto answers = keys.row(key).subspan(static_cast<std::size_t>(groupOf(head) * layer.headDim));
                double sum = 0;
                for (std::size_t d = 0; d < static_cast<std::size_t>(layer.headDim); ++d)
                    sum += static_cast<double>(asks[d]) * static_cast<double>(answers[d]);
                scores.push_back(sum / std::sqrt(static_cast<double>(layer.headDim)));
            }
        return scores;
    }
};

namespace
{

/// Columns of a head.
ConstMatrixView headColumns(ConstMatrixView rows, std::int64_t head, std::int64_t headDim)
{
    return {rows.data() + head * headDim, rows.rows(), headDim, rows.stride()};
}

/// What each head writes on reading each token, behind the last gain: [H n, Dm].
MatrixF writtenBy(const LensLayer& layer, ConstMatrixView input)
{
    const MatrixF values = projected(input, layer.value, {}, 0);
    MatrixF written(layer.heads * input.rows(), input.cols());
    for (std::int64_t head = 0; head < layer.heads && input.rows() > 0; ++head)
    {
        const ConstMatrixView read = headColumns(values.view(), head * layer.kvHeads / layer.heads, layer.headDim);
        const ConstMatrixView output = headColumns(layer.output, head, layer.headDim);
        gemmNT(read.rows(), output.rows(), layer.headDim, 1, read.data(), read.stride(), output.data(), output.stride(),
               0, written.row(head * input.rows()).data(), written.cols());
    }
    return scaledColumns(written.view(), layer.finalGain);
}

double copyingOf(const Eigen::MatrixXd& table)
{
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(table, false);
    const double sizes = solver.eigenvalues().cwiseAbs().sum();
    return solver.info() == Eigen::Success && sizes > 0 ? solver.eigenvalues().real().sum() / sizes
                                                        : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

WeightsScan::WeightsScan(const LensLayer& layer, ConstMatrixView tokens, std::int64_t k, bool countsCopied)
{
    const MatrixF input = layerInput(tokens, layer);
    const auto lists = static_cast<std::size_t>(layer.heads * tokens.rows());
    m_state = std::make_unique<State>(
        State{layer,
              tokens.rows(),
              projected(input.view(), layer.query, layer.queryNorm, layer.eps),
              projected(input.view(), layer.key, layer.keyNorm, layer.eps),
              VocabularyScan(writtenBy(layer, input.view()), k),
              {lists, TokenRanking(k)},
              {lists, TokenRanking(k)},
              {static_cast<std::size_t>(layer.heads), Eigen::MatrixXd::Zero(layer.headDim, layer.headDim)},
              countsCopied,
              {},
              {},
              {}});
}

WeightsScan::~WeightsScan() = default;
WeightsScan::WeightsScan(WeightsScan&&) noexcept = default;
WeightsScan& WeightsScan::operator=(WeightsScan&&) noexcept = default;

void WeightsScan::add(ConstMatrixView embeddings, ConstMatrixView unembeddings, std::int64_t first,
                      const std::vector<bool>& listed, int numThreads)
{
    State& state = *m_state;
    const LensLayer& layer = state.layer;
    state.written.add(unembeddings, first, listed, numThreads);
    const std::int64_t width = layer.heads * layer.headDim;
    MatrixF queries(embeddings.rows(), width);
    MatrixF keys(embeddings.rows(), layer.kvHeads * layer.headDim);
    MatrixF values(embeddings.rows(), layer.kvHeads * layer.headDim);
    MatrixF outputs(embeddings.rows(), width); // (U * g) W_O
    parallelFor(numThreads, embeddings.rows(), kLensRows, [&](std::int64_t begin, std::int64_t end) {
        const auto part = [&](ConstMatrixView all) {
            return ConstMatrixView(all.data() + begin * all.stride(), end - begin, all.cols(), all.stride());
        };
        const MatrixF input = layerInput(part(embeddings), layer);
        const auto copy = [begin](const MatrixF& from, MatrixF& to) {
            std::ranges::copy(from.values(), to.row(begin).begin());
        };
        copy(projected(input.view(), layer.query, layer.queryNorm, layer.eps), queries);
        copy(projected(input.view(), layer.key, layer.keyNorm, layer.eps), keys);
        copy(projected(input.view(), layer.value, {}, 0), values);
        const MatrixF scaled = scaledColumns(part(unembeddings), layer.finalGain);
        gemmNN(end - begin, width, scaled.cols(), 1, scaled.data(), scaled.cols(), layer.output.data(),
               layer.output.stride(), 0, outputs.row(begin).data(), width);
    });
    if (state.countsCopied)
    {
        state.read.insert(state.read.end(), values.values().begin(), values.values().end());
        state.wrote.insert(state.wrote.end(), outputs.values().begin(), outputs.values().end());
    }
    parallelFor(numThreads, layer.heads, 1, [&](std::int64_t head, std::int64_t) {
        const auto of = [&](const MatrixF& all, std::int64_t number) {
            return headColumns(all.view(), number, layer.headDim);
        };
        const std::int64_t group = state.groupOf(head);
        state.rank(head, of(state.queries, head), of(keys, group), state.toKeys, first, listed);
        state.rank(head, of(state.keys, group), of(queries, head), state.toQueries, first, listed);
        using Strided = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0,
                                   Eigen::OuterStride<>>;
        const auto mapped = [&layer](ConstMatrixView view) {
            return Strided(view.data(), view.rows(), layer.headDim, Eigen::OuterStride<>(view.stride())).cast<double>();
        };
        state.copying[static_cast<std::size_t>(head)] +=
            mapped(of(outputs, head)).transpose() * mapped(of(values, group));
    });
}

Status WeightsScan::countCopied(std::span<const std::int64_t> heads, int numThreads, JobContext& job)
{
    constexpr std::int64_t kHighest = 10;
    State& state = *m_state;
    const LensLayer& layer = state.layer;
    const std::int64_t readWidth = layer.kvHeads * layer.headDim;
    const std::int64_t wroteWidth = layer.heads * layer.headDim;
    const std::int64_t vocabulary = std::ssize(state.read) / readWidth;
    state.copied.assign(static_cast<std::size_t>(layer.heads), -1);
    for (const std::int64_t head : heads)
    {
        std::vector<std::int64_t> ofBlocks(static_cast<std::size_t>(blockCount(vocabulary, kLensRows)));
        parallelForBlocks(numThreads, vocabulary, kLensRows, [&](const Block& block, int /*worker*/) {
            if (job.stopRequested())
                return;
            const std::int64_t rows = block.end - block.begin;
            MatrixF logits(rows, vocabulary);
            gemmNT(rows, vocabulary, layer.headDim, 1,
                   state.read.data() + block.begin * readWidth + state.groupOf(head) * layer.headDim, readWidth,
                   state.wrote.data() + head * layer.headDim, wroteWidth, 0, logits.data(), vocabulary);
            for (std::int64_t i = 0; i < rows; ++i)
            {
                const auto row = logits.row(i);
                const auto own = static_cast<std::size_t>(block.begin + i);
                const auto isBefore = [&](float value) { return value > row[own]; };
                const auto isEqual = [&](float value) { return value == row[own]; };
                const auto before =
                    std::ranges::count_if(row, isBefore) + std::ranges::count_if(row.first(own), isEqual);
                ofBlocks[static_cast<std::size_t>(block.index)] += before < kHighest ? 1 : 0;
            }
        });
        HEADSCOPE_CHECK(job.checkStop());
        state.copied[static_cast<std::size_t>(head)] =
            std::accumulate(ofBlocks.begin(), ofBlocks.end(), std::int64_t{0});
    }
    return {};
}

std::vector<WeightsLens> WeightsScan::take()
{
    State& state = *m_state;
    std::vector<TokenLists> written = state.written.take();
    std::vector<WeightsLens> heads;
    for (std::int64_t head = 0; head < state.layer.heads; ++head)
    {
        WeightsLens lens;
        lens.head = head;
        for (std::int64_t token = 0; token < state.tokens; ++token)
        {
            const auto at = static_cast<std::size_t>(head * state.tokens + token);
            lens.tokens.push_back({std::move(written[at]), state.toKeys[at].take(), state.toQueries[at].take()});
        }
        lens.scores = state.scoresOf(head);
        lens.copying = copyingOf(state.copying[static_cast<std::size_t>(head)]);
        if (!state.copied.empty())
            lens.copyingTop10 = state.copied[static_cast<std::size_t>(head)];
        heads.push_back(std::move(lens));
    }
    return heads;
}

} // namespace headscope
