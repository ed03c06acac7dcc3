// SPDX-License-Identifier: GPL-3.0-or-later
// x is a document, S and n the sum and number of the documents of a label. The centroid's direction is that of S:
// cos = x S / (|x| |S|); for the document's own label that of S - x: x (S - x) = x S - |x|^2 and
// |S - x|^2 = |S|^2 - 2 x S + |x|^2, nothing where n = 1.
#include "model/analysis/topics/centroid_cosines.h"

#include "model/kernels/distances.h"
#include "model/kernels/gemm_f64.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{

CentroidCosines::CentroidCosines(ConstMatrixView vectors, std::span<const std::int64_t> rows)
{
    std::vector<float> values;
    for (std::size_t at = 0; at < rows.size(); ++at)
    {
        const auto vector = vectors.row(rows[at]);
        const double square = squaredNorm(vector.data(), vectors.cols());
        if (!std::isfinite(square))
            continue;
        m_finite.push_back(static_cast<std::int64_t>(at));
        m_squares.push_back(square);
        values.insert(values.end(), vector.begin(), vector.end());
    }
    m_vectors = MatrixF(std::ssize(m_finite), vectors.cols(), std::move(values));
}

MatrixD CentroidCosines::compute(std::span<const std::int32_t> codes, std::int64_t topics) const
{
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    const std::int64_t dims = m_vectors.cols();
    MatrixD sums(topics, dims);
    std::vector<std::int64_t> members(static_cast<std::size_t>(topics));
    for (std::int64_t i = 0; i < m_vectors.rows(); ++i)
    {
        const std::int32_t code = codes[static_cast<std::size_t>(i)];
        const auto sum = sums.row(code);
        const auto vector = m_vectors.row(i);
        for (std::size_t d = 0; d < vector.size(); ++d)
            sum[d] += static_cast<double>(vector[d]);
        ++members[static_cast<std::size_t>(code)];
    }
    MatrixD turned(dims, topics); // as the product reads it
    std::vector<double> squares(static_cast<std::size_t>(topics));
    for (std::int64_t topic = 0; topic < topics; ++topic)
        for (std::int64_t d = 0; d < dims; ++d)
        {
            turned(d, topic) = sums(topic, d);
            squares[static_cast<std::size_t>(topic)] += sums(topic, d) * sums(topic, d);
        }
    MatrixD cosines(m_vectors.rows(), topics);
    addProductInDouble(m_vectors.rows(), topics, dims, m_vectors.data(), dims, 1, turned.data(), topics, cosines.data(),
                       topics);
    for (std::int64_t i = 0; i < cosines.rows(); ++i)
    {
        const double own = m_squares[static_cast<std::size_t>(i)];
        for (std::int64_t topic = 0; topic < topics; ++topic)
        {
            const bool isOwn = topic == codes[static_cast<std::size_t>(i)];
            const double sum = cosines(i, topic);
            const double square = squares[static_cast<std::size_t>(topic)];
            const double length = std::sqrt(own * (isOwn ? square - 2 * sum + own : square));
            const bool alone = members[static_cast<std::size_t>(topic)] == (isOwn ? 1 : 0);
            cosines(i, topic) = alone || !(length > 0) ? kNaN : (isOwn ? sum - own : sum) / length;
        }
    }
    return cosines;
}

} // namespace headscope
