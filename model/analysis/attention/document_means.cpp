// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/document_means.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{

void DocumentMeans::add(const MatrixD& values)
{
    if (m_moments.rows() == 0)
        m_moments = Matrix<RunningMoments>(values.rows(), values.cols());
    for (std::size_t at = 0; at < values.values().size(); ++at)
        if (const double value = values.values()[at]; !std::isnan(value))
            m_moments.values()[at].add(value);
}

MatrixD DocumentMeans::means() const
{
    MatrixD means(m_moments.rows(), m_moments.cols());
    std::ranges::transform(m_moments.values(), means.values().begin(), [](const RunningMoments& moments) {
        return moments.count > 0 ? moments.mean : std::numeric_limits<double>::quiet_NaN();
    });
    return means;
}

MatrixD DocumentMeans::ends(double Interval::*end) const
{
    MatrixD ends(m_moments.rows(), m_moments.cols());
    std::ranges::transform(m_moments.values(), ends.values().begin(),
                           [end](const RunningMoments& moments) { return moments.ci95().*end; });
    return ends;
}

} // namespace headscope
