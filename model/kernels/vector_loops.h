// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace headscope
{

/// The element-wise and row-wise loops between the matrix products of a network, in float32.
///
/// Each is compiled for every instruction set from SSE2 to AVX-512 and chosen at run time; sums
/// run in an order that depends on the instruction set alone, so the same CPU gives the same bits.
/// @threads reentrant, all of them; none starts threads or allocates

/// into[i] += x[i]; equal lengths.
void addInto(std::span<float> into, std::span<const float> x);

/// into[i] *= x[i]; equal lengths.
void multiplyInto(std::span<float> into, std::span<const float> x);

/// into[i] = max(into[i], x[i]); equal lengths, no NaN.
void maxInto(std::span<float> into, std::span<const float> x);

/// out[i] = x[i] / sqrt(mean(x^2) + eps) * weight[i]; out may be x.
/// @source  Zhang & Sennrich 2019, "Root mean square layer normalization" (arXiv 1910.07467)
void rmsNorm(std::span<const float> x, std::span<const float> weight, float eps, std::span<float> out);

/// out[i] = (x[i] - mean) / sqrt(variance + eps) * weight[i] + bias[i], variance of all values
/// (divided by n); out may be x. Without a bias it may be empty.
void layerNorm(std::span<const float> x, std::span<const float> weight, std::span<const float> bias, float eps,
               std::span<float> out);

/// x[i] = exp(scale * (x[i] - max)) / sum: the softmax of scale * x. An empty row stays empty;
/// scale > 0. Terms that underflow give 0 or a value next to it, never NaN.
void softmax(std::span<float> x, float scale);

/// x[i] = cap * tanh(scale * x[i] / cap); cap > 0.
void capTanh(std::span<float> x, float scale, float cap);

/// x[i] = x[i] / (1 + exp(-x[i])).
void silu(std::span<float> x);

/// out[i] = silu(gate[i]) * up[i], silu(x) = x / (1 + exp(-x)); out may be gate.
void siluTimes(std::span<const float> gate, std::span<const float> up, std::span<float> out);

/// x[i] = 0.5 x[i] (1 + erf(x[i] / sqrt 2)), the exact form of GELU.
/// @source  erf by Abramowitz & Stegun 7.1.26, absolute error below 1.5e-7
void gelu(std::span<float> x);

/// x[i] = 0.5 x[i] (1 + tanh(sqrt(2 / pi) (x[i] + 0.044715 x[i]^3))), the approximation of GELU.
/// @source  Hendrycks & Gimpel 2016 (arXiv 1606.08415)
void geluTanh(std::span<float> x);

/// Rotary embedding of one head vector [2 * half] in place, halves paired: with a = x[i] and
/// b = x[i + half], x[i] = a cos[i] - b sin[i], x[i + half] = b cos[i] + a sin[i].
void rotateHalves(std::span<float> x, std::span<const float> cosines, std::span<const float> sines);

} // namespace headscope
