// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/circuits/contribution_shares.h"

#include "model/analysis/statistics/intervals.h"
#include "model/base/parallel.h"

#include <limits>
#include <numeric>

namespace headscope
{
namespace
{

/// [M][N]: of every part its shares in the documents.
std::vector<std::vector<double>> sharesByPart(const OwnEffects& own)
{
    std::vector<std::vector<double>> shares;
    for (std::size_t i = 0; i < own.effects.size(); ++i)
    {
        const std::vector<double> effects = own.effects[i].inOrder();
        shares.resize(effects.size());
        for (std::size_t part = 0; part < effects.size(); ++part)
            shares[part].push_back(own.norms[i] > 0 ? effects[part] / own.norms[i]
                                                    : std::numeric_limits<double>::quiet_NaN());
    }
    return shares;
}

Estimate meanShare(const std::vector<double>& shares, std::uint64_t seed)
{
    const auto meanOver = [&shares](std::span<const std::int64_t> units) {
        double sum = 0;
        for (const std::int64_t unit : units)
            sum += shares[static_cast<std::size_t>(unit)];
        return sum / static_cast<double>(units.size());
    };
    Estimate estimate{std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size()), {}};
    if (shares.size() > 1)
        estimate.ci95 = bootstrapInterval(std::ssize(shares), meanOver, {.seed = seed}).ci95;
    return estimate;
}

} // namespace

Result<std::vector<PartShare>> partShares(const ResidualModel& model, const OwnEffects& direct,
                                          const OwnEffects& centred, std::uint64_t seed, int threads, JobContext& job)
{
    const auto raw = sharesByPart(direct);
    const auto without = sharesByPart(centred);
    const bool normBiases = !direct.effects.front().normBias.empty();
    const auto places = vectorParts(model.numLayers(), model.heads, normBiases);
    std::vector<PartShare> found(places.size());
    parallelFor(threads, std::ssize(places), 1, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end) && !job.stopRequested(); ++i)
            found[i] = {places[i], meanShare(raw[i], seed), meanShare(without[i], seed)};
    });
    HEADSCOPE_CHECK(job.checkStop());
    return found;
}

} // namespace headscope
