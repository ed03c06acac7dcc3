// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/attention_change.h"

#include <cmath>
#include <cstddef>

namespace headscope::desktop
{
namespace
{

/// Half the sum of differences of a row, mean over the rows.
double movedShare(const MatrixF& before, const MatrixF& after)
{
    double sum = 0;
    for (std::size_t i = 0; i < before.values().size(); ++i)
        sum += std::abs(static_cast<double>(before.values()[i]) - static_cast<double>(after.values()[i]));
    return sum / (2 * static_cast<double>(before.rows()));
}

} // namespace

std::optional<AttentionChange> largestChange(const AttentionRun& before, const AttentionRun& after)
{
    std::optional<AttentionChange> largest;
    if (before.ids != after.ids)
        return largest;
    // Runs of one text hold the heads in one order; where they do not, each is looked for.
    for (std::size_t at = 0; at < after.weights.size(); ++at)
    {
        const HeadWeights& own = after.weights[at];
        const bool same =
            at < before.weights.size() && before.weights[at].layer == own.layer && before.weights[at].head == own.head;
        const MatrixF* const former = same ? before.weights[at].rows.get() : before.weightsOf(own.layer, own.head);
        if (former == nullptr)
            continue;
        const double share = movedShare(*former, *own.rows);
        if (!largest || share > largest->share)
            largest = {own.layer, own.head, share};
    }
    return largest;
}

} // namespace headscope::desktop
