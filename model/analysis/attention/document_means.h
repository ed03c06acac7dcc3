// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/statistics/running_moments.h"
#include "model/data/matrix.h"

#include <cstddef>
#include <vector>

namespace headscope
{

/// Means over documents of a table of numbers, one document after another, and their intervals.
class DocumentMeans
{
public:
    /// Takes a document's table; of NaN nothing is taken.
    /// @param values  of one shape for all documents
    void add(const MatrixD& values);

    /// NaN of what no document has.
    [[nodiscard]] MatrixD means() const;
    /// The ends of 95% intervals over documents, by Student's t; NaN of what fewer than two documents have.
    [[nodiscard]] MatrixD lows() const { return ends(&Interval::low); }
    [[nodiscard]] MatrixD highs() const { return ends(&Interval::high); }

private:
    [[nodiscard]] MatrixD ends(double Interval::*end) const;

    Matrix<RunningMoments> m_moments;
};

} // namespace headscope
