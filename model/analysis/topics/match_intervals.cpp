// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/match_intervals.h"

#include "model/analysis/statistics/intervals.h"

namespace headscope
{

void setMatchIntervals(TopicMatch& match)
{
    const MatchResult& result = match.result;
    match.low = match.high = MatrixD(result.hits.rows(), result.hits.cols());
    for (std::int64_t row = 0; row < result.hits.rows(); ++row)
        for (std::int64_t k = 0; k < result.hits.cols(); ++k)
        {
            const bool sure = result.k[static_cast<std::size_t>(k)] >= result.topics;
            const Interval interval =
                sure ? Interval()
                     : wilsonInterval(static_cast<double>(result.hits(row, k)),
                                      static_cast<double>(result.measured[static_cast<std::size_t>(row)]));
            match.low(row, k) = interval.low;
            match.high(row, k) = interval.high;
        }
}

} // namespace headscope
