// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// Sums over a row of Gaussian weights w_j = exp(-beta (d_j - shift)).
struct GaussianSums
{
    double weight = 0; ///< sum w
    double first = 0;  ///< sum w (d - shift)
    double second = 0; ///< sum w (d - shift)^2
};

/// Writes the weights and returns their sums; all in double.
/// @param distances [count] squared distances, none below shift
/// @threads reentrant
GaussianSums gaussianWeights(const double* distances, std::int64_t count, double shift, double beta, double* weights);

/// Sum of p ln p over values from 0 up, in double; zeros add nothing.
/// @threads reentrant
[[nodiscard]] double entropySum(const float* values, std::int64_t count);

/// Turns rows of logits into probabilities minus the one-hot label, in place, with the log loss.
///
/// Row i: z_k = logits[i, k] + bias[k]; p = softmax(z); logits[i, k] = p_k - [label_i = k].
/// @param logits    [rows, stride], classes <= stride
/// @param columnSum [classes], added to: sums over the rows of what was written
/// @return sum over the rows of -ln p_label, in double
/// @threads reentrant
double softmaxResiduals(float* logits, std::int64_t rows, std::int64_t classes, std::int64_t stride, const float* bias,
                        const std::int32_t* labels, double* columnSum);
double softmaxResiduals(double* logits, std::int64_t rows, std::int64_t classes, std::int64_t stride,
                        const double* bias, const std::int32_t* labels, double* columnSum);

/// How probabilities change with their logits, in place: the softmax's Jacobian times each row.
///
/// Row i: u_k = changes[i, k] + bias[k]; changes[i, k] = p_k (u_k - sum_l p_l u_l).
/// @param changes        [rows, stride]; stride a multiple of 16
/// @param probabilities  [rows, stride], zeros in the padding
/// @param columnSum      [stride], added to: sums over the rows of what was written
/// @threads reentrant
void softmaxChanges(float* changes, const float* probabilities, std::int64_t rows, std::int64_t stride,
                    const float* bias, double* columnSum);
void softmaxChanges(double* changes, const float* probabilities, std::int64_t rows, std::int64_t stride,
                    const double* bias, double* columnSum);

} // namespace headscope
