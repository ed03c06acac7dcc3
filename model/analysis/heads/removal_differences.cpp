// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/removal_differences.h"

#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/heads/head_sets.h"
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/analysis/statistics/permutations.h"
#include "model/base/parallel.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

using Scores = std::vector<std::int32_t>;

std::vector<std::int64_t> wide(std::span<const std::int32_t> scores)
{
    return {scores.begin(), scores.end()};
}

/// Difference of each document: [sets][n].
std::vector<Scores> differencesOf(std::span<const Scores> without, std::span<const std::int32_t> with)
{
    std::vector<Scores> differences;
    for (const Scores& scores : without)
    {
        Scores& one = differences.emplace_back(scores);
        for (std::size_t i = 0; i < one.size(); ++i)
            one[i] -= with[i];
    }
    return differences;
}

/// Scores of the same documents or queries under sets of heads and under all of them, compared.
/// @param flips  first: nothing
Result<std::vector<PairedDifference>> comparedWithAll(const HeadSetMeasure& measure,
                                                      const std::vector<std::vector<std::int64_t>>& flips,
                                                      std::uint64_t seed, int numThreads, JobContext& job)
{
    const std::vector<bool> all(static_cast<std::size_t>(measure.heads()), true);
    HEADSCOPE_TRY(const auto scores, measure.scores(all, flips, numThreads, job));
    HEADSCOPE_TRY(auto differences, pairedDifferences(std::span(scores).subspan(1), scores.front(), measure.fullScore(),
                                                      seed, numThreads, job));
    if (!measure.findsItself())
        return differences;
    HEADSCOPE_TRY(const auto leftOut, measure.leftOutValues(all, flips, numThreads, job));
    for (std::size_t set = 0; set < differences.size(); ++set)
    {
        differences[set].p = differences[set].q = std::numeric_limits<double>::quiet_NaN();
        if (differences[set].changed < kMinChanged)
            continue;
        std::vector<double> changes;
        for (std::size_t document = 0; document < leftOut.front().size(); ++document)
            changes.push_back(leftOut[set + 1][document] - leftOut.front()[document]);
        differences[set].ci95 = jackknifeInterval(differences[set].difference, changes);
    }
    return differences;
}

} // namespace

Result<std::vector<PairedDifference>> pairedDifferences(std::span<const Scores> without,
                                                        std::span<const std::int32_t> with, std::int32_t fullScore,
                                                        std::uint64_t seed, int numThreads, JobContext& job)
{
    const auto n = std::ssize(with);
    const double full = static_cast<double>(std::max<std::ptrdiff_t>(n, 1)) * fullScore;
    const BootstrapOptions options{.seed = seed};
    const std::vector<Scores> differences = differencesOf(without, with);
    std::vector<std::vector<double>> resampled(without.size(),
                                               std::vector<double>(static_cast<std::size_t>(options.resamples)));
    const Draws draws(seed);
    constexpr std::int64_t kBlock = 16;
    parallelFor(numThreads, options.resamples, kBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end && !job.stopRequested(); ++b)
        {
            const auto documents = resample(draws, b, n);
            for (std::size_t set = 0; set < differences.size(); ++set)
            {
                std::int64_t sum = 0;
                for (const std::int64_t document : documents)
                    sum += differences[set][static_cast<std::size_t>(document)];
                resampled[set][static_cast<std::size_t>(b)] = static_cast<double>(sum) / full;
            }
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    std::vector<PairedDifference> results(without.size());
    parallelFor(numThreads, std::ssize(results), 1, [&](std::int64_t begin, std::int64_t end) {
        for (auto set = static_cast<std::size_t>(begin); set < static_cast<std::size_t>(end); ++set)
        {
            if (job.stopRequested())
                return;
            std::sort(resampled[set].begin(), resampled[set].end());
            PairedDifference& result = results[set];
            result.difference = static_cast<double>(sumOf(differences[set])) / full;
            result.changed = std::ranges::count_if(differences[set], [](std::int32_t each) { return each != 0; });
            if (result.changed >= kMinChanged)
                result.ci95 = {quantile(resampled[set], 0.025), quantile(resampled[set], 0.975)};
            result.p = result.changed >= kMinTested ? signFlipTest(wide(without[set]), wide(with), seed).p
                                                    : std::numeric_limits<double>::quiet_NaN();
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    std::vector<double> p;
    for (const PairedDifference& result : results)
        p.push_back(result.p);
    const std::vector<double> q = benjaminiHochberg(p);
    for (std::size_t set = 0; set < results.size(); ++set)
        results[set].q = q[set];
    return results;
}

Result<std::vector<PairedDifference>> removalDifferences(const HeadSetMeasure& measure, const ModelInfo& model,
                                                         PruningUnit unit, std::uint64_t seed, int numThreads,
                                                         JobContext& job)
{
    const PruningUnits units(measure, model, unit);
    std::vector<std::vector<std::int64_t>> flips(1); // first: all stay
    for (std::int64_t one = 0; one < units.count(); ++one)
        flips.push_back(units.headsOf(one));
    return comparedWithAll(measure, flips, seed, numThreads, job);
}

Result<PairedDifference> maskDifference(const HeadSetMeasure& measure, const std::vector<bool>& kept,
                                        std::uint64_t seed, int numThreads, JobContext& job)
{
    std::vector<std::vector<std::int64_t>> flips(2); // all, and the mask
    for (std::size_t head = 0; head < kept.size(); ++head)
        if (!kept[head])
            flips[1].push_back(static_cast<std::int64_t>(head));
    HEADSCOPE_TRY(const auto differences, comparedWithAll(measure, flips, seed, numThreads, job));
    return differences.front();
}

Result<Interval> intervalOfMask(const HeadSetMeasure& measure, const std::vector<bool>& kept, std::uint64_t seed,
                                int numThreads, JobContext& job)
{
    const std::vector<std::vector<std::int64_t>> nothing(1);
    HEADSCOPE_TRY(const auto scores, measure.scores(kept, nothing, numThreads, job));
    const auto n = static_cast<double>(measure.scored());
    if (measure.fullScore() == 1)
        return wilsonInterval(static_cast<double>(sumOf(scores.front())), n);
    const Scores none(scores.front().size());
    HEADSCOPE_TRY(const auto differences, pairedDifferences(scores, none, measure.fullScore(), seed, numThreads, job));
    if (!measure.findsItself() || differences.front().changed < kMinChanged)
        return withWidthAtEnds(differences.front().ci95, measure.scored());
    HEADSCOPE_TRY(const auto leftOut, measure.leftOutValues(kept, nothing, numThreads, job));
    return withWidthAtEnds(jackknifeInterval(differences.front().difference, leftOut.front()), measure.scored());
}

} // namespace headscope
