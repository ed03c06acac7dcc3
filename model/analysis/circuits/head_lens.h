// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/lens_results.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace headscope
{

/// Keeps the tokens of highest and lowest values of those that it is shown, in ascending order of their ids.
class TokenRanking
{
public:
    /// @param k  of each list, at least 1
    explicit TokenRanking(std::int64_t k) : m_k(static_cast<std::size_t>(k)) {}

    /// @param values  of tokens from `first` on
    /// @param listed  [V] whether an id may be in a list; empty: all may
    void add(std::span<const float> values, std::int64_t first, const std::vector<bool>& listed);
    [[nodiscard]] TokenLists take() { return std::move(m_lists); }

private:
    std::size_t m_k;
    TokenLists m_lists;
};

/// Logits of vectors over a vocabulary that comes in blocks of rows: U v of every vector v.
class VocabularyScan
{
public:
    /// @param vectors  [n, Dm]
    VocabularyScan(MatrixF vectors, std::int64_t k);

    /// @param rows    [B, Dm] of the unembedding
    /// @param first   id of the first of them; blocks come in order
    /// @param listed  as TokenRanking::add
    /// @threads uses numThreads threads; result independent of their number
    /// @cost    n B Dm multiply-adds in float32
    void add(ConstMatrixView rows, std::int64_t first, const std::vector<bool>& listed, int numThreads);
    /// [n]
    [[nodiscard]] std::vector<TokenLists> take();

private:
    MatrixF m_vectors;
    std::vector<TokenRanking> m_rankings;
};

/// The attention weights of a layer of a pre-norm decoder, as they lie in memory; views that must outlive whoever takes
/// it.
struct LensLayer
{
    std::int64_t heads = 0;           ///< H
    std::int64_t kvHeads = 0;         ///< KV, divides H
    std::int64_t headDim = 0;         ///< Dh
    ConstMatrixView query;            ///< [H Dh, Dm]
    ConstMatrixView key;              ///< [KV Dh, Dm]
    ConstMatrixView value;            ///< [KV Dh, Dm]
    ConstMatrixView output;           ///< [Dm, H Dh]
    std::span<const float> inputGain; ///< [Dm] of the norm in front of attention
    std::span<const float> finalGain; ///< [Dm] of the model's last norm
    std::span<const float> queryNorm; ///< [Dh], or empty
    std::span<const float> keyNorm;   ///< likewise
    double eps = 0;                   ///< of all these norms
};

/// What the heads of a layer do with single tokens, from the weights alone: every embedding as if it stood in front of
/// the layer, without biases and rotary positions, which is the score at distance 0.
///
/// The vocabulary comes in blocks: add() sees the same ids of the token embedding and of the unembedding.
/// @source  Elhage et al. 2021, A Mathematical Framework for Transformer Circuits (OV and QK circuits, copying)
class WeightsScan
{
public:
    /// @param tokens  [n, Dm] embeddings of the tokens that are asked for; may have no rows
    /// @param k       tokens of each list
    /// @param countsCopied  whether countCopied() will be asked: what heads read and write of all tokens is kept,
    ///                      4 V (H + KV) Dh bytes
    WeightsScan(const LensLayer& layer, ConstMatrixView tokens, std::int64_t k, bool countsCopied = false);
    ~WeightsScan();
    WeightsScan(WeightsScan&&) noexcept;
    WeightsScan& operator=(WeightsScan&&) noexcept;

    /// @param embeddings    [B, Dm]
    /// @param unembeddings  [B, Dm] of the same ids
    /// @threads uses numThreads threads; result independent of their number
    /// @cost    B Dm (2 H + 2 KV) Dh + B H (Dh^2 + n (2 Dh + Dm)) multiply-adds
    void add(ConstMatrixView embeddings, ConstMatrixView unembeddings, std::int64_t first,
             const std::vector<bool>& listed, int numThreads);
    /// Counts of some heads the tokens that are among the ten highest of their own row, once all blocks were added.
    /// @param heads  from 0; of the others take() has no number
    /// @errors  Cancelled
    /// @threads as add()
    /// @cost    V^2 Dh multiply-adds a head
    [[nodiscard]] Status countCopied(std::span<const std::int64_t> heads, int numThreads, JobContext& job);
    /// [H]
    [[nodiscard]] std::vector<WeightsLens> take();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headscope
