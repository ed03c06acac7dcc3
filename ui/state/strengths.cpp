// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/strengths.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui
{

double Strengths::topShare(float strength) const
{
    if (sorted.empty() || !std::isfinite(strength))
        return 1;
    const auto first = std::lower_bound(sorted.begin(), sorted.end(), strength);
    return static_cast<double>(sorted.end() - first) / static_cast<double>(sorted.size());
}

std::optional<std::int64_t> Strengths::place(float strength) const
{
    if (!std::isfinite(strength))
        return std::nullopt;
    return sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), strength) + 1;
}

Strengths strengthsOf(const HeadVectors& vectors, int numThreads)
{
    constexpr std::int64_t kBlock = 256;
    Strengths result{MatrixF(vectors.documents(), vectors.heads()), {}};
    parallelFor(numThreads, vectors.documents(), kBlock, [&vectors, &result](std::int64_t begin, std::int64_t end) {
        for (std::int64_t document = begin; document < end; ++document)
        {
            for (std::int64_t head = 0; head < vectors.heads(); ++head)
            {
                double sum = 0;
                for (const float value : vectors.vector(DocumentIndex(document), HeadIndex(head)))
                    sum += static_cast<double>(value) * static_cast<double>(value);
                const double norm = std::sqrt(sum);
                result.values(document, head) = std::isfinite(norm) ? static_cast<float>(norm) : std::nanf("");
            }
        }
    });
    result.sorted.reserve(result.values.values().size());
    for (const float value : result.values.values())
        if (std::isfinite(value))
            result.sorted.push_back(value);
    std::sort(result.sorted.begin(), result.sorted.end());
    return result;
}

} // namespace headscope::ui
