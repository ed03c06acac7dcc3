// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/pruning.h"

#include <algorithm>
#include <array>

namespace headscope
{
namespace
{

/// The measure with each of these units flipped against `kept`; unit -1 flips nothing.
Result<std::vector<PruningStep>> flipEach(const HeadSetMeasure& measure, const PruningUnits& units,
                                          const std::vector<bool>& kept, std::span<const std::int64_t> candidates,
                                          int numThreads, JobContext& job)
{
    std::vector<std::vector<std::int64_t>> flips;
    for (const std::int64_t unit : candidates)
        flips.push_back(unit < 0 ? std::vector<std::int64_t>() : units.headsOf(unit));
    HEADSCOPE_TRY(const auto scores, measure.flipped(units.heads(kept), flips, numThreads, job));
    std::vector<PruningStep> steps;
    for (std::size_t i = 0; i < candidates.size(); ++i)
    {
        auto flipped = kept;
        if (candidates[i] >= 0)
            flipped[static_cast<std::size_t>(candidates[i])].flip();
        PruningStep step;
        step.unit = candidates[i];
        step.hits = scores[i].hits;
        step.value = scores[i].value;
        const HeadSavings saved = units.savings(flipped);
        step.parametersSaved = saved.parameters;
        step.kvBytesSaved = saved.kvBytes;
        step.removed = std::count(flipped.begin(), flipped.end(), false);
        steps.push_back(step);
    }
    return steps;
}

/// Each unit flipped alone, where all are in the state `from`.
Result<std::vector<PruningStep>> flipAll(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit,
                                         bool from, int numThreads, JobContext& job)
{
    const PruningUnits units(measure, model, unit);
    const auto all = allIndices(units.count());
    return flipEach(measure, units, std::vector<bool>(all.size(), from), all, numThreads, job);
}

/// Flips, one after another, the unit in state `from` that leaves the largest value, `count` times.
Result<std::vector<PruningStep>> greedy(const HeadSetMeasure& measure, const PruningUnits& units, bool from,
                                        std::int64_t count, int numThreads, JobContext& job)
{
    std::vector<bool> kept(static_cast<std::size_t>(units.count()), from);
    constexpr std::int64_t kStart = -1;
    HEADSCOPE_TRY(auto steps, flipEach(measure, units, kept, {&kStart, 1}, numThreads, job));
    for (std::int64_t step = 0; step < count; ++step)
    {
        job.report("trying heads", static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(count), "steps");
        std::vector<std::int64_t> candidates;
        for (std::int64_t unit = 0; unit < units.count(); ++unit)
            if (kept[static_cast<std::size_t>(unit)] == from)
                candidates.push_back(unit);
        HEADSCOPE_TRY(const auto tried, flipEach(measure, units, kept, candidates, numThreads, job));
        // The first of the largest: ties go to the lower unit.
        const auto best = std::max_element(
            tried.begin(), tried.end(), [](const PruningStep& a, const PruningStep& b) { return a.value < b.value; });
        kept[static_cast<std::size_t>(best->unit)] = !from;
        steps.push_back(*best);
    }
    return steps;
}

/// Is `a` at least as good in all and better in one? Units that are off stand in for savings that are not known.
bool beats(const PruningStep& a, const PruningStep& b)
{
    const std::array left = {a.parametersSaved.value_or(a.removed), a.kvBytesSaved.value_or(0)};
    const std::array right = {b.parametersSaved.value_or(b.removed), b.kvBytesSaved.value_or(0)};
    return a.value >= b.value && left[0] >= right[0] && left[1] >= right[1] && (a.value > b.value || left != right);
}

} // namespace

std::int64_t pruningUnits(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit)
{
    return PruningUnits(measure, model, unit).count();
}

Result<std::vector<PruningStep>> withoutEach(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit,
                                             int numThreads, JobContext& job)
{
    return flipAll(measure, model, unit, true, numThreads, job);
}

Result<std::vector<PruningStep>> eachAlone(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit,
                                           int numThreads, JobContext& job)
{
    return flipAll(measure, model, unit, false, numThreads, job);
}

Result<std::vector<PruningStep>> backwardElimination(const HeadSetMeasure& measure, const ModelInfo& model,
                                                     PruningUnit unit, int numThreads, JobContext& job)
{
    const PruningUnits units(measure, model, unit);
    return greedy(measure, units, true, units.count() - 1, numThreads, job);
}

Result<std::vector<PruningStep>> forwardSelection(const HeadSetMeasure& measure, const ModelInfo& model,
                                                  PruningUnit unit, int numThreads, JobContext& job)
{
    const PruningUnits units(measure, model, unit);
    return greedy(measure, units, false, units.count(), numThreads, job);
}

void markFront(std::span<PruningStep> steps)
{
    for (PruningStep& step : steps)
        step.onFront =
            std::none_of(steps.begin(), steps.end(), [&step](const PruningStep& other) { return beats(other, step); });
}

std::vector<std::int64_t> removalOrder(std::span<const PruningStep> steps, bool adds)
{
    std::vector<PruningStep> order(steps.begin(), steps.end());
    const bool greedyOrder = !order.empty() && order.front().unit < 0;
    std::erase_if(order, [](const PruningStep& step) { return step.unit < 0; });
    if (!greedyOrder)
        std::stable_sort(order.begin(), order.end(),
                         [](const PruningStep& a, const PruningStep& b) { return a.value > b.value; });
    if (adds)
        std::reverse(order.begin(), order.end());
    std::vector<std::int64_t> units;
    std::transform(order.begin(), order.end(), std::back_inserter(units),
                   [](const PruningStep& step) { return step.unit; });
    return units;
}

} // namespace headscope
