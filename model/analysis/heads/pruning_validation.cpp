// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/pruning_validation.h"

#include "model/analysis/heads/head_set_measures.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

using Set = std::vector<bool>;

/// The sets of the order that one half of one halving finds.
class HalfOrder
{
public:
    HalfOrder(HalvedScores& scores, std::int64_t units, std::int64_t halving)
        : m_scores(scores), m_units(static_cast<std::size_t>(units)), m_halving(static_cast<std::size_t>(halving))
    {}

    /// @return entry i: the set in which i + 1 units stay; [units]
    Result<std::vector<Set>> find(PruningOrder order, JobContext& job)
    {
        auto path = order == PruningOrder::Single ? single(job) : greedy(order == PruningOrder::Backward, job);
        if (path && order != PruningOrder::Forward)
            std::reverse(path->begin(), path->end());
        return path;
    }

private:
    [[nodiscard]] std::int64_t valueOf(const Set& set) const { return m_scores.of(set).chosen[m_halving]; }

    /// From all to one unit (`from`), or from one to all; ties: the lower unit goes, or comes, first.
    Result<std::vector<Set>> greedy(bool from, JobContext& job)
    {
        Set set(m_units, from);
        std::vector<Set> path;
        if (from)
            path.push_back(set);
        while (path.size() < m_units)
        {
            std::vector<Set> candidates;
            for (std::size_t unit = 0; unit < m_units; ++unit)
                if (set[unit] == from)
                {
                    candidates.push_back(set);
                    candidates.back()[unit] = !from;
                }
            HEADSCOPE_CHECK(m_scores.score(candidates, job));
            set = *std::max_element(candidates.begin(), candidates.end(),
                                    [this](const Set& a, const Set& b) { return valueOf(a) < valueOf(b); });
            path.push_back(set);
        }
        return path;
    }

    Result<std::vector<Set>> single(JobContext& job)
    {
        const Set all(m_units, true);
        std::vector<Set> alone(m_units, all);
        for (std::size_t unit = 0; unit < m_units; ++unit)
            alone[unit][unit] = false;
        HEADSCOPE_CHECK(m_scores.score(alone, job));
        std::vector<std::size_t> order(m_units);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return valueOf(alone[a]) > valueOf(alone[b]); });
        std::vector<Set> path = {all};
        for (std::size_t removed = 0; removed + 1 < m_units; ++removed)
        {
            path.push_back(path.back());
            path.back()[order[removed]] = false;
        }
        HEADSCOPE_CHECK(m_scores.score(path, job));
        return path;
    }

    HalvedScores& m_scores;
    std::size_t m_units;
    std::size_t m_halving;
};

/// What every size, and the two rules of choosing a size, gain in one halving.
struct Gathered
{
    std::vector<GainsOverHalvings> byKept;
    GainsOverHalvings best;
    GainsOverHalvings fewest;
};

void gather(const std::vector<Set>& path, const HalvedScores& scores, std::size_t halving, Gathered& gathered)
{
    const HalvedScores::Sums& all = scores.of(path.back());
    std::vector<std::int64_t> chosen;
    std::size_t best = 0;
    std::size_t fewest = path.size();
    const auto add = [&](GainsOverHalvings& gains, std::size_t size) {
        const std::int64_t elsewhere = scores.of(path[size]).elsewhere[halving] - all.elsewhere[halving];
        gains.add(static_cast<double>(size + 1), scores.chosenGain(chosen[size]), scores.elsewhereGain(elsewhere));
    };
    for (std::size_t size = 0; size < path.size(); ++size)
    {
        chosen.push_back(scores.of(path[size]).chosen[halving] - all.chosen[halving]);
        add(gathered.byKept[size], size);
        best = chosen[size] > chosen[best] ? size : best; // ties: the fewest
        if (fewest == path.size() && chosen[size] >= 0)
            fewest = size;
    }
    add(gathered.best, best);
    add(gathered.fewest, fewest);
}

} // namespace

Result<PruningValidation> validateByHalves(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit,
                                           PruningOrder order, const HalvingOptions& options, int numThreads,
                                           JobContext& job)
{
    const PruningUnits units(measure, model, unit);
    PruningValidation validation;
    if (!HalvedScores::canHalve(measure) || units.count() < 2 || options.halvings < 1)
        return validation;
    HalvedScores scores(measure, units, options, numThreads);
    const std::vector<Set> all(1, Set(static_cast<std::size_t>(units.count()), true));
    HEADSCOPE_CHECK(scores.score(all, job));
    Gathered gathered;
    gathered.byKept.resize(static_cast<std::size_t>(units.count()));
    for (std::int64_t halving = 0; halving < options.halvings; ++halving)
    {
        job.report("halving documents", static_cast<std::uint64_t>(halving),
                   static_cast<std::uint64_t>(options.halvings), "halvings");
        HEADSCOPE_TRY(const auto path, HalfOrder(scores, units.count(), halving).find(order, job));
        gather(path, scores, static_cast<std::size_t>(halving), gathered);
    }
    validation.halvings = options.halvings;
    validation.documents = measure.scored();
    for (const GainsOverHalvings& gains : gathered.byKept)
        validation.byKept.push_back(gains.result());
    validation.best = gathered.best.result();
    validation.fewest = gathered.fewest.result();
    return validation;
}

} // namespace headscope
