// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Cosines of documents with the centroids of their labels, for any labels: a document is left out of the centroid
/// of its own label, by sums, so that none is compared with itself. All arithmetic after the vectors is in double.
/// @threads compute() from any number of threads
class CentroidCosines
{
public:
    /// @param vectors  [N, D]
    /// @param rows     those that take part; the ones whose vector is not finite do not (finite())
    CentroidCosines(ConstMatrixView vectors, std::span<const std::int64_t> rows);

    /// [n] places in `rows` of the documents that take part.
    [[nodiscard]] const std::vector<std::int64_t>& finite() const { return m_finite; }

    /// @param codes    [n] labels of the documents that take part, 0 <= code < topics
    /// @return  [n, topics]; NaN where a centroid has no member (without the document itself), or a vector is zero
    /// @cost    O(n topics D)
    [[nodiscard]] MatrixD compute(std::span<const std::int32_t> codes, std::int64_t topics) const;

private:
    MatrixF m_vectors; ///< [n, D]
    std::vector<std::int64_t> m_finite;
    std::vector<double> m_squares; ///< [n] squared lengths
};

} // namespace headscope
