// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/importance/mask_plan.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <span>
#include <vector>

namespace headscope
{

/// Least squares of values on masks: v ~ b_0 + sum b_i m_i.
struct MaskFit
{
    std::vector<double> coefficients;   ///< [1 + players] the intercept first
    std::vector<double> standardErrors; ///< [1 + players] residual variance over n - players - 1; NaN where that is 0
    double r2 = 0;                      ///< NaN where the values are all the same
};

/// The linear map from values of masks to coefficients, which is the same for every document.
class MaskRegression
{
public:
    /// @param masks  [n] of the same players
    /// @errors InvalidArgument (masks that do not tell the players apart: fewer than players + 1, or too alike)
    [[nodiscard]] static Result<MaskRegression> create(const std::vector<PlayerMask>& masks);

    /// @param values  [n]
    [[nodiscard]] MaskFit fit(std::span<const double> values) const;
    /// The map itself: row i has the weights of the values in coefficient i. [1 + players, n]
    [[nodiscard]] const MatrixD& weights() const { return m_weights; }

private:
    MatrixD m_design;  ///< [n, 1 + players]
    MatrixD m_weights; ///< [1 + players, n] its pseudoinverse
};

/// The exact Shapley values: the mean of v(with) - v(without) over all orders in which players may come. They sum to
/// v(all) - v(none).
/// @param masks, values  all 2^players masks, once each, and the value of each
/// @source  Shapley 1953
[[nodiscard]] std::vector<double> shapleyValues(const std::vector<PlayerMask>& masks, std::span<const double> values);

} // namespace headscope
