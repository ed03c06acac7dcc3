// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/pruning.h"

#include <algorithm>

namespace headscope
{
namespace
{

/// Units as heads, and what their removal saves.
class Units
{
public:
    Units(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit)
        : m_model(model), m_heads(measure.heads()), m_size(unit == PruningUnit::Heads ? 1 : model.groupSize())
    {}

    [[nodiscard]] std::int64_t count() const { return (m_heads + m_size - 1) / m_size; }

    [[nodiscard]] std::vector<std::int64_t> headsOf(std::int64_t unit) const
    {
        std::vector<std::int64_t> heads;
        for (std::int64_t head = unit * m_size; head < std::min((unit + 1) * m_size, m_heads); ++head)
            heads.push_back(head);
        return heads;
    }

    /// Flags of heads from those of units.
    [[nodiscard]] std::vector<bool> heads(const std::vector<bool>& units) const
    {
        std::vector<bool> flags;
        for (std::int64_t head = 0; head < m_heads; ++head)
            flags.push_back(units[static_cast<std::size_t>(head / m_size)]);
        return flags;
    }

    void writeSavings(const std::vector<bool>& kept, PruningStep& step) const
    {
        const HeadSavings saved = savingsWithout(heads(kept), m_model);
        step.parametersSaved = saved.parameters;
        step.kvBytesSaved = saved.kvBytes;
    }

private:
    const ModelInfo& m_model;
    std::int64_t m_heads;
    std::int64_t m_size;
};

/// The measure with each of these units flipped against `kept`; unit -1 flips nothing.
Result<std::vector<PruningStep>> flipEach(const HeadSetMeasure& measure, const Units& units,
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
        units.writeSavings(flipped, step);
        steps.push_back(step);
    }
    return steps;
}

/// Each unit flipped alone, where all are in the state `from`.
Result<std::vector<PruningStep>> flipAll(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit,
                                         bool from, int numThreads, JobContext& job)
{
    const Units units(measure, model, unit);
    const auto all = allIndices(units.count());
    return flipEach(measure, units, std::vector<bool>(all.size(), from), all, numThreads, job);
}

/// Flips, one after another, the unit in state `from` that leaves the largest value, `count` times.
Result<std::vector<PruningStep>> greedy(const HeadSetMeasure& measure, const Units& units, bool from,
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

bool beats(const PruningStep& a, const PruningStep& b)
{
    return a.value >= b.value && a.parametersSaved >= b.parametersSaved && a.kvBytesSaved >= b.kvBytesSaved &&
           (a.value > b.value || a.parametersSaved > b.parametersSaved || a.kvBytesSaved > b.kvBytesSaved);
}

} // namespace

HeadSavings savingsWithout(const std::vector<bool>& kept, const ModelInfo& model)
{
    const std::int64_t perHead = 2 * model.headDim * model.modelDim;
    std::vector<std::int64_t> left(static_cast<std::size_t>(std::max<std::int64_t>(model.kvHeads, 1)));
    std::int64_t removed = 0;
    for (std::size_t head = 0; head < kept.size(); ++head)
    {
        if (kept[head])
            ++left[model.groupOf(HeadIndex(static_cast<std::int64_t>(head))).index()];
        else
            ++removed;
    }
    const auto emptyGroups = std::count(left.begin(), left.end(), 0);
    return {(removed + emptyGroups) * perHead, emptyGroups * 2 * model.headDim * 2};
}

std::int64_t pruningUnits(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit)
{
    return Units(measure, model, unit).count();
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
    const Units units(measure, model, unit);
    return greedy(measure, units, true, units.count() - 1, numThreads, job);
}

Result<std::vector<PruningStep>> forwardSelection(const HeadSetMeasure& measure, const ModelInfo& model,
                                                  PruningUnit unit, int numThreads, JobContext& job)
{
    const Units units(measure, model, unit);
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
