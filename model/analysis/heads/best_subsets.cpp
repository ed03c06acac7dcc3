// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/best_subsets.h"

#include "model/analysis/heads/head_set_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kNone = -1; // less than any score

/// The best sets of one size so far.
struct Best
{
    std::int64_t sum = kNone;
    std::vector<std::int64_t> units;
    std::vector<std::int64_t> chosen;    ///< [halvings] of the half that chooses
    std::vector<std::int64_t> elsewhere; ///< [halvings] what the same set has on the other half
};

/// Units of the subset with this number; the first unit is the highest bit, so that a larger number of the same size
/// is the set whose units come first.
std::vector<std::int64_t> unitsOf(std::uint64_t subset, std::int64_t count)
{
    std::vector<std::int64_t> units;
    for (std::int64_t unit = 0; unit < count; ++unit)
        if ((subset >> static_cast<std::uint64_t>(count - 1 - unit) & 1U) != 0)
            units.push_back(unit);
    return units;
}

void take(const HalvedScores::Sums& sums, std::vector<std::int64_t> units, Best& best)
{
    if (sums.all > best.sum)
    {
        best.sum = sums.all;
        best.units = std::move(units);
    }
    best.chosen.resize(sums.chosen.size(), kNone);
    best.elsewhere.resize(sums.chosen.size());
    for (std::size_t b = 0; b < sums.chosen.size(); ++b)
        if (sums.chosen[b] > best.chosen[b])
        {
            best.chosen[b] = sums.chosen[b];
            best.elsewhere[b] = sums.elsewhere[b];
        }
}

HeldOutGain gainOf(const Best& best, const Best& all, const HalvedScores& scores)
{
    GainsOverHalvings gains;
    for (std::size_t b = 0; b < best.chosen.size(); ++b)
        gains.add(static_cast<double>(best.units.size()), scores.chosenGain(best.chosen[b] - all.chosen[b]),
                  scores.elsewhereGain(best.elsewhere[b] - all.elsewhere[b]));
    return gains.result();
}

/// What the two rules of choosing a size gain, each half choosing its own.
void judgeSizes(const std::vector<Best>& best, const HalvedScores& scores, SubsetSearch& search)
{
    const Best& all = best.back();
    GainsOverHalvings ofBest;
    GainsOverHalvings ofFewest;
    for (std::size_t b = 0; b < all.chosen.size(); ++b)
    {
        const auto add = [&](GainsOverHalvings& gains, const Best& one) {
            gains.add(static_cast<double>(one.units.size()), scores.chosenGain(one.chosen[b] - all.chosen[b]),
                      scores.elsewhereGain(one.elsewhere[b] - all.elsewhere[b]));
        };
        add(ofBest, *std::max_element(best.begin(), best.end(), [b](const Best& one, const Best& other) {
                return one.chosen[b] < other.chosen[b]; // ties: the fewest
            }));
        add(ofFewest, *std::find_if(best.begin(), best.end(),
                                    [b, &all](const Best& one) { return one.chosen[b] >= all.chosen[b]; }));
    }
    search.best = ofBest.result();
    search.fewest = ofFewest.result();
}

/// Every set but the empty one, each measured once.
/// @return [units] entry i: of i + 1 units
Result<std::vector<Best>> searchSubsets(const HeadSetMeasure& measure, const PruningUnits& units,
                                        const HalvedScores& scores, int numThreads, JobContext& job)
{
    const std::int64_t count = units.count();
    const std::uint64_t total = std::uint64_t{1} << static_cast<std::uint64_t>(count);
    constexpr std::uint64_t kBlock = 64;
    std::vector<Best> best(static_cast<std::size_t>(count));
    const std::vector<bool> none(static_cast<std::size_t>(measure.heads()), false);
    for (std::uint64_t done = 0; done + 1 < total; done += kBlock)
    {
        job.report("trying all subsets", done, total - 1, "subsets");
        const std::uint64_t end = std::min(done + kBlock, total - 1);
        std::vector<std::vector<std::int64_t>> flips;
        for (std::uint64_t at = done; at < end; ++at)
        {
            auto& flip = flips.emplace_back();
            for (const std::int64_t one : unitsOf(total - 1 - at, count))
                for (const std::int64_t head : units.headsOf(one))
                    flip.push_back(head);
        }
        HEADSCOPE_TRY(const auto found, measure.scores(none, flips, numThreads, job));
        for (std::uint64_t at = done; at < end; ++at)
        {
            auto members = unitsOf(total - 1 - at, count);
            Best& ofSize = best[members.size() - 1];
            take(scores.sumsOf(found[static_cast<std::size_t>(at - done)]), std::move(members), ofSize);
        }
    }
    return best;
}

} // namespace

Result<SubsetSearch> bestSubsets(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit,
                                 const HalvingOptions& options, int numThreads, JobContext& job)
{
    const PruningUnits units(measure, model, unit);
    const std::int64_t count = units.count();
    if (count > kMaxUnitsSearched)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at most {} units to try all subsets, found {}", kMaxUnitsSearched, count),
                     {},
                     {}};
    HalvingOptions halves = options;
    if (!HalvedScores::canHalve(measure))
        halves.halvings = 0;
    const HalvedScores scores(measure, units, halves, numThreads);
    HEADSCOPE_TRY(const auto best, searchSubsets(measure, units, scores, numThreads, job));
    SubsetSearch search;
    const double full = static_cast<double>(std::max<std::int64_t>(measure.scored(), 1)) * measure.fullScore();
    for (const Best& one : best)
    {
        BestSubset result{one.units, static_cast<double>(one.sum) / full, 0, std::nullopt};
        result.hits = measure.fullScore() == 1 ? one.sum : 0;
        if (halves.halvings > 0)
            result.held = gainOf(one, best.back(), scores);
        search.bySize.push_back(std::move(result));
    }
    if (halves.halvings > 0)
        judgeSizes(best, scores, search);
    return search;
}

} // namespace headscope
