// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/circuits/residual_model.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/residual_trace.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// What one text's vector is a sum of, each summand pooled over the text's tokens and divided by every norm that is
/// still ahead of it, as it is before it is carried through these. It is linear in all its numbers.
template <class T>
struct Summands
{
    std::vector<T> token;           ///< [Dm] embedding of the token (BERT: behind its norm)
    Matrix<T> heads;                ///< [L, H Dh] outputs of the heads, before o_proj
    std::vector<double> outputBias; ///< [L] how often the bias of o_proj counts
    Matrix<T> mlp;                  ///< [L, Dm] with its biases
    MatrixD normBias;               ///< [L, 2] how often the biases of a layer's norms count, or empty
    std::vector<T> embedding;       ///< [Dm] their sum, as the model computes it
};
using PooledSummands = Summands<float>;
using MeanSummands = Summands<double>;

/// A number for every summand: their inner products with a direction.
struct PartValues
{
    double token = 0;
    MatrixD heads;                  ///< [L, H]
    std::vector<double> outputBias; ///< [L]
    std::vector<double> mlp;        ///< [L]
    MatrixD normBias;               ///< [L, 2] of the norms behind attention and behind the MLP, or empty

    [[nodiscard]] double sum() const;
    /// All of them, in the order of parts().
    [[nodiscard]] std::vector<double> inOrder() const;
};

/// Takes a text's residual stream apart. The divisors of all norms are frozen at what each of its tokens gives.
///
/// With s_t the divisor of a norm at token t, T tokens and r the norms ahead, a summand v_t counts
/// (1/T) sum_t v_t / prod_r s_{t,r}. In a pre-norm decoder the only one is the final norm.
/// @source  Elhage et al. 2021, A Mathematical Framework for Transformer Circuits
/// @cost    O(R L (H Dh + Dm))
[[nodiscard]] PooledSummands poolSummands(const ResidualModel& model, const ResidualTrace& trace);

/// Mean over documents.
[[nodiscard]] MeanSummands meanSummands(std::span<const PooledSummands> documents);

/// A document's summands and vector without a mean.
[[nodiscard]] PooledSummands centredSummands(const PooledSummands& own, const MeanSummands& mean);

/// Direct effects: inner products of the parts of each document with a direction of its own.
///
/// A part is what a summand becomes behind the norms ahead of it. Parts are not made: the direction is carried
/// back instead, which takes one product with o_proj a layer for many documents.
/// @param directions  [N, Dm]
/// @param mean        is subtracted from the summands of each document; null: nothing is
/// @return  [N]; with the documents' own embedding as direction, divided by its length, they sum to that length
/// @errors  Cancelled
/// @threads reentrant; uses `threads`, of which no result depends
/// @cost    N L Dm H Dh multiply-adds in double
/// @source  Gandelsman, Efros, Steinhardt 2024 (arXiv 2310.05916), direct effects of heads
[[nodiscard]] Result<std::vector<PartValues>> effectsAlong(const ResidualModel& model,
                                                           std::span<const PooledSummands> documents,
                                                           const MatrixD& directions, const MeanSummands* mean,
                                                           int threads, JobContext& job);

/// The parts of one document's vector: [M, Dm], which sum to it. M = 1 + L H + 2 L, with norm biases + 2 L; in the
/// order token, heads (layer by layer), biases of o_proj, MLPs, biases of norms (of a layer those behind attention and
/// MLP).
/// @cost  L Dm H Dh multiply-adds, where norms stand in the stream M 2 L Dm more
[[nodiscard]] MatrixD parts(const ResidualModel& model, const PooledSummands& summands);

/// What a pre-norm decoder adds up at the one token that a document's vector is taken from, before the final norm.
struct RawSummands
{
    std::vector<double> token; ///< [Dm]
    MatrixD heads;             ///< [L H, Dm]
    MatrixD mlp;               ///< [L, Dm] with its biases; the biases of o_proj are those of the weights
    std::vector<double> sum;   ///< [Dm] of all, with the biases of o_proj
    double rms = 0;            ///< what the final norm divides the sum by
};

/// The divisor of the final norm is taken out of pooled summands again.
/// @param model     without norms in the stream
/// @param summands  of one token
/// @cost  L Dm H Dh multiply-adds
[[nodiscard]] RawSummands rawSummands(const ResidualModel& model, const PooledSummands& summands);

/// Which part of one document meets which part of another: inner products of their parts over the lengths of both
/// vectors, [M, M]. They sum to the cosine of the two.
/// @errors Cancelled
/// @cost   M^2 Dm multiply-adds
[[nodiscard]] Result<MatrixD> pairContributions(const MatrixD& partsOfFirst, const MatrixD& partsOfSecond,
                                                double firstNorm, double secondNorm, int threads, JobContext& job);

} // namespace headscope
