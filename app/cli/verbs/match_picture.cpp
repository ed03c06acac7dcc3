// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/match_picture.h"

#include "model/analysis/statistics/intervals.h"
#include "viz/export/match_figure.h"

namespace headscope::cli
{

Status writeMatchPicture(const MatchResult& result, const CacheInput& input, const std::string& vectorsText,
                         const std::vector<std::int64_t>& heads, const FigureFiles& files)
{
    TopicMatch match;
    match.stage = input.stages.front();
    match.layer = input.layers.front();
    match.result = result;
    match.vectorsText = vectorsText;
    match.low = match.high = MatrixD(result.hits.rows(), result.hits.cols());
    for (std::int64_t row = 0; row < result.hits.rows(); ++row)
        for (std::int64_t k = 0; k < result.hits.cols(); ++k)
        {
            // All topics are among the k nearest: nothing that could be otherwise.
            const bool sure = result.k[static_cast<std::size_t>(k)] >= result.topics;
            const Interval interval =
                sure ? Interval()
                     : wilsonInterval(static_cast<double>(result.hits(row, k)),
                                      static_cast<double>(result.measured[static_cast<std::size_t>(row)]));
            match.low(row, k) = interval.low;
            match.high(row, k) = interval.high;
        }
    return viz::exportMatch(match, input.model(), heads, files.target(), files.options());
}

} // namespace headscope::cli
