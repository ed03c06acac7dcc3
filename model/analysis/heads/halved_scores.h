// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/heads/pruning_units.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/results/pruning_results.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace headscope
{

/// How often the documents are halved, and by which draws.
struct HalvingOptions
{
    std::int64_t halvings = 100;
    std::uint64_t seed = 1;
};

/// The measure of sets of units on both halves of the documents, over repeated halvings. Halving b puts documents into
/// the half that chooses by permutation b of the seed (draws.h); the odd one goes to the other half. What a set
/// scored is kept: orders of different halves share most of their sets.
class HalvedScores
{
public:
    /// Of one set, [halvings] each: sums of whole scores.
    struct Sums
    {
        std::vector<std::int64_t> chosen;    ///< over the half that chooses
        std::vector<std::int64_t> elsewhere; ///< over the other
        std::int64_t all = 0;                ///< over both
    };

    HalvedScores(const HeadSetMeasure& measure, const PruningUnits& units, const HalvingOptions& options,
                 int numThreads);

    /// Whether there is a document for each half.
    [[nodiscard]] static bool canHalve(const HeadSetMeasure& measure) { return measure.scored() >= 2; }
    /// Scores those of the sets that have not been yet. The reference holds until the next call.
    /// @param sets  [units] flags each
    /// @errors Cancelled
    [[nodiscard]] Status score(std::span<const std::vector<bool>> sets, JobContext& job);
    /// Of a set that has been scored.
    [[nodiscard]] const Sums& of(const std::vector<bool>& set) const { return m_sums.at(set); }
    /// Scores a set without keeping it.
    [[nodiscard]] Sums sumsOf(std::span<const std::int32_t> scores) const;
    [[nodiscard]] std::int64_t halvings() const { return m_halvings; }
    /// Of sums over the half that chooses, less those of all units: the gain as a share.
    [[nodiscard]] double chosenGain(std::int64_t difference) const { return share(difference, m_documents / 2); }
    [[nodiscard]] double elsewhereGain(std::int64_t difference) const
    {
        return share(difference, m_documents - m_documents / 2);
    }

private:
    [[nodiscard]] double share(std::int64_t sum, std::int64_t documents) const
    {
        return static_cast<double>(sum) / (static_cast<double>(documents) * m_fullScore);
    }

    const HeadSetMeasure& m_measure;
    const PruningUnits& m_units;
    std::int64_t m_halvings;
    std::int64_t m_documents;
    double m_fullScore;
    int m_numThreads;
    std::vector<std::int32_t> m_chooses; ///< [halvings, documents] 1: in the half that chooses
    std::unordered_map<std::vector<bool>, Sums> m_sums;
};

/// Gains over the halvings, gathered.
class GainsOverHalvings
{
public:
    void add(double kept, double chosen, double elsewhere);
    /// Means, and the 2.5% and 97.5% quantiles over the halvings.
    [[nodiscard]] HeldOutGain result() const;

private:
    std::vector<double> m_kept;
    std::vector<double> m_chosen;
    std::vector<double> m_elsewhere;
};

} // namespace headscope
