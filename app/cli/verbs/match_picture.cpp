// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/match_picture.h"

#include "model/analysis/topics/match_intervals.h"
#include "viz/export/match_figure.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace headscope::cli
{

viz::Figure matchPicture(TopicMatch match, const CacheInput& input, std::vector<std::int64_t> heads)
{
    match.stage = input.stages.front();
    match.layer = input.layers.front();
    setMatchIntervals(match);
    for (std::int64_t row = 1; match.headsAreChosen && row < match.low.rows(); ++row)
        for (MatrixD* ends : {&match.low, &match.high})
            std::ranges::fill(ends->row(row), std::numeric_limits<double>::quiet_NaN());
    return viz::figureOfMatch(std::move(match), input.model(), std::move(heads));
}

} // namespace headscope::cli
