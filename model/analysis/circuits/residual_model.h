// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// A norm on the way out of the residual stream. With its divisor (and its mean) frozen at what a token gives it is
/// linear, but for its bias: v becomes gain * (v - mean v) / divisor, or gain * v / divisor.
struct FrozenNorm
{
    std::span<const float> gain; ///< [Dm]
    std::span<const float> bias; ///< [Dm], or empty
    double eps = 0;
    bool centres = false; ///< LayerNorm: the mean is subtracted; else an RMS norm

    /// What the norm divides x by: its standard deviation, or the root of its mean square.
    [[nodiscard]] double divisor(std::span<const float> x) const;
    /// Carries v [Dm] through the norm; the divisor is left out.
    void carry(std::span<double> v) const;
    /// The transpose: <carry(v), u> = <v, carryBack(u)>.
    void carryBack(std::span<double> u) const;
};

/// What of a model's weights decides how much of a text's vector comes from where. Views of weights, which must outlive
/// it.
struct ResidualModel
{
    struct Layer
    {
        ConstMatrixView output;            ///< [Dm, H Dh] o_proj
        std::span<const float> outputBias; ///< [Dm], or empty
    };

    std::int64_t heads = 0;    ///< H
    std::int64_t headDim = 0;  ///< Dh
    std::int64_t modelDim = 0; ///< Dm
    std::vector<Layer> layers; ///< [L]
    /// Norms in the order in which the embedding of a token passes them: the final one of a pre-norm decoder, or, of
    /// a post-norm encoder, those behind attention and MLP of every layer, [2 L].
    std::vector<FrozenNorm> norms;

    [[nodiscard]] std::int64_t numLayers() const { return std::ssize(layers); }
    /// Whether every layer has norms in the stream: a part is then what is left with all of them frozen.
    [[nodiscard]] bool normsBehind() const { return norms.size() > 1; }
    /// The first norm that what the attention of a layer, or its MLP, writes passes.
    [[nodiscard]] std::size_t normAfterAttention(std::size_t layer) const { return normsBehind() ? 2 * layer : 0; }
    [[nodiscard]] std::size_t normAfterMlp(std::size_t layer) const { return normsBehind() ? 2 * layer + 1 : 0; }
    /// Whether layers have biases of o_proj, and norms theirs.
    [[nodiscard]] bool hasOutputBias() const;
    [[nodiscard]] bool hasNormBias() const;
};

} // namespace headscope
