// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/halved_scores.h"

#include "model/analysis/heads/head_sets.h"
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

double meanOf(const std::vector<double>& values)
{
    return values.empty() ? 0.0
                          : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Interval middleOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return {quantile(values, 0.025), quantile(values, 0.975)};
}

} // namespace

HalvedScores::HalvedScores(const HeadSetMeasure& measure, const PruningUnits& units, const HalvingOptions& options,
                           int numThreads)
    : m_measure(measure), m_units(units), m_halvings(options.halvings), m_documents(measure.scored()),
      m_fullScore(measure.fullScore()), m_numThreads(numThreads)
{
    const Draws draws(options.seed);
    std::vector<std::int32_t> chooses(static_cast<std::size_t>(m_documents));
    std::fill_n(chooses.begin(), m_documents / 2, 1);
    m_chooses.reserve(static_cast<std::size_t>(m_halvings * m_documents));
    for (std::int64_t b = 0; b < m_halvings; ++b)
    {
        const auto permuted = permutedLabels(chooses, draws, b);
        m_chooses.insert(m_chooses.end(), permuted.begin(), permuted.end());
    }
}

HalvedScores::Sums HalvedScores::sumsOf(std::span<const std::int32_t> scores) const
{
    Sums sums;
    sums.all = sumOf(scores);
    for (std::int64_t b = 0; b < m_halvings; ++b)
    {
        const std::int32_t* chooses = &m_chooses[static_cast<std::size_t>(b * m_documents)];
        std::int64_t chosen = 0;
        for (std::size_t document = 0; document < scores.size(); ++document)
            chosen += std::int64_t{scores[document]} * chooses[document];
        sums.chosen.push_back(chosen);
        sums.elsewhere.push_back(sums.all - chosen);
    }
    return sums;
}

Status HalvedScores::score(std::span<const std::vector<bool>> sets, JobContext& job)
{
    std::vector<const std::vector<bool>*> missing;
    for (const std::vector<bool>& set : sets)
        if (!m_sums.contains(set))
            missing.push_back(&set);
    if (missing.empty())
        return {};
    // Sets of one call lie close to each other: each is scored as a few flips of the first.
    const std::vector<bool> base = m_units.heads(*missing.front());
    std::vector<std::vector<std::int64_t>> flips;
    for (const std::vector<bool>* set : missing)
    {
        const std::vector<bool> kept = m_units.heads(*set);
        auto& flip = flips.emplace_back();
        for (std::size_t head = 0; head < kept.size(); ++head)
            if (kept[head] != base[head])
                flip.push_back(static_cast<std::int64_t>(head));
    }
    HEADSCOPE_TRY(const auto scores, m_measure.scores(base, flips, m_numThreads, job));
    for (std::size_t i = 0; i < missing.size(); ++i)
        m_sums.emplace(*missing[i], sumsOf(scores[i]));
    return {};
}

void GainsOverHalvings::add(double kept, double chosen, double elsewhere)
{
    m_kept.push_back(kept);
    m_chosen.push_back(chosen);
    m_elsewhere.push_back(elsewhere);
}

HeldOutGain GainsOverHalvings::result() const
{
    return {meanOf(m_kept), meanOf(m_chosen), middleOf(m_chosen), meanOf(m_elsewhere), middleOf(m_elsewhere)};
}

} // namespace headscope
