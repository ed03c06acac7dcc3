// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope
{

/// Which input of a later head reads what an earlier one writes.
enum class CompositionKind
{
    Q,
    K,
    V,
};
inline constexpr std::array kCompositionKinds = {CompositionKind::Q, CompositionKind::K, CompositionKind::V};

/// "q", "k", "v"
[[nodiscard]] constexpr std::string_view compositionName(CompositionKind kind)
{
    constexpr std::array<std::string_view, 3> kNames = {"q", "k", "v"};
    return kNames[static_cast<std::size_t>(kind)];
}

/// How much of what each head writes each head of a later layer reads, from the weights alone.
struct CompositionScores
{
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    /// Of each kind [L, H, L, H]: earlier head, later head; 0 unless the second layer is later. Empty: not asked for.
    std::array<std::vector<double>, 3> scores;
    double baseline = 0;            ///< root mean square of a score under random rotations: 1 / sqrt(Dm)
    std::vector<double> ovSingular; ///< [L, H, Dh] singular values of W_O W_V, descending
    std::vector<double> qkSingular; ///< [L, H, Dh] of W_Q^T W_K
    std::int64_t modelDim = 0;
    std::int64_t directions = 0; ///< C of each head: the first singular directions of its W_O W_V
    /// [L, H, C, Dm] left singular vectors, of length 1, their largest component positive: what a head writes.
    std::vector<float> ovWrite;
    std::vector<float> ovRead; ///< [L, H, C, Dm] right ones, whose signs follow: what it reads
    /// Of each kind [L, H, C, L, H]: how much of a direction of an earlier head a later one reads. Empty: not asked
    /// for.
    std::array<std::vector<double>, 3> components;
    /// Two layers whose directions were compared with each other; nothing: of none.
    std::optional<std::pair<std::int64_t, std::int64_t>> pairLayers;
    /// Of each kind [H, C, H, C]: size of the cosine of a direction that a head of the first layer writes and one that
    /// a head of the second reads: singular directions of its W_Q^T W_K on the side of the query or the key, or of its
    /// W_O W_V. Empty: not asked for.
    std::array<std::vector<double>, 3> pairs;

    [[nodiscard]] const std::vector<double>& of(CompositionKind kind) const
    {
        return scores[static_cast<std::size_t>(kind)];
    }
};

/// Standard deviation of the score of two heads under random rotations of the later head's input, around the baseline,
/// from the spectra of both: of score^2 exactly, of the score to first order. For encoders, whose scores are carried
/// through norms, it is that without the norms.
/// @param from, to  heads, counted through all layers
/// @return NaN where singular values are not known
/// @source  tr(A R B R') of two symmetric matrices has the variance 2 |A0|^2 |B0|^2 / ((D - 1) (D + 2)), A0 and B0
///          without their traces: Collins & Sniady 2006 (doi 10.1007/s00220-006-1554-3)
[[nodiscard]] double randomScoreSpread(const CompositionScores& scores, CompositionKind kind, std::int64_t from,
                                       std::int64_t to);

/// A pair of heads.
struct CompositionEdge
{
    CompositionKind kind = CompositionKind::Q;
    std::int64_t fromLayer = 0;
    std::int64_t fromHead = 0; ///< from 0
    std::int64_t toLayer = 0;
    std::int64_t toHead = 0; ///< from 0
    double score = 0;        ///< without the baseline, where one is subtracted
};

/// The kind of the highest score; V where there is none.
[[nodiscard]] CompositionKind strongestKind(const CompositionScores& scores);

/// The pairs with the highest scores over all kinds, the highest first; equal ones in the order of the arrays.
/// @param most     at most so many
/// @param subtract is taken off every score
[[nodiscard]] std::vector<CompositionEdge> strongestEdges(const CompositionScores& scores, std::size_t most,
                                                          double subtract);

} // namespace headscope
