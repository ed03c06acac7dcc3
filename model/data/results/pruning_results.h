// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/origin.h"
#include "model/data/results/interval.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace headscope
{

/// How many documents have to change for an interval: drawing them again never goes beyond what was seen, so that four
/// that got worse beside none that got better would look like certainty.
inline constexpr std::int64_t kMinChanged = 10;

/// How many documents have to change for a test by sign flips: those of n of them give no p below 2 / 2^n, which for
/// fewer is above 0.05 whatever the changes are. The number does not say which side is better, so that what is left out
/// by it makes no other p false (Tarone 1990, Biometrics 46, 515-522, doi 10.2307/2531456).
inline constexpr std::int64_t kMinTested = 6;

/// By how much a measure differs without some heads, both measured on the same documents (or queries).
struct PairedDifference
{
    double difference = 0; ///< without - with
    /// Bootstrap over documents, the same resamples for both; NaN where fewer than kMinChanged changed.
    Interval ci95;
    /// Two-sided: without and with exchanged by fair coins, document by document; NaN: not tested, since fewer than
    /// kMinTested changed, or since the documents find each other.
    double p = 1;
    double q = std::numeric_limits<double>::quiet_NaN(); ///< Benjamini-Hochberg over those of one list that have a p
    std::int64_t changed = 0;                            ///< documents whose score is another

    /// Whether so few documents changed that no test could tell.
    [[nodiscard]] bool hasNoTest() const { return !std::isfinite(p) && changed < kMinTested; }
};

/// What a choice of heads gains over all heads where it was chosen, and on documents that had no part in it: over
/// repeated halvings of the documents.
struct HeldOutGain
{
    double kept = 0;   ///< units that stay; a mean where every halving chooses its own number
    double chosen = 0; ///< mean gain on the half that chose
    Interval chosenCi95;
    double elsewhere = 0; ///< mean gain on the other half
    Interval elsewhereCi95;
};

/// Orders of removal found on one half of the documents and judged on the other.
struct PruningValidation
{
    std::int64_t halvings = 0;
    std::int64_t documents = 0;      ///< halved each time: labelled or tested documents, or queries
    std::vector<HeldOutGain> byKept; ///< [units] entry i: i + 1 units stay; the last one gains nothing
    HeldOutGain best;                ///< the number that is best where it was chosen; all units take part
    HeldOutGain fewest;              ///< the fewest that are as good as all where they were chosen

    [[nodiscard]] bool isEmpty() const { return halvings == 0; }
};

/// The best of all sets of one size.
struct BestSubset
{
    std::vector<std::int64_t> units; ///< that stay, ascending
    double value = 0;
    std::int64_t hits = 0;
    std::optional<HeldOutGain> held; ///< of the best set of this size on each half
};

/// The best sets of every size, and what the choice of a size among them gains elsewhere.
struct SubsetSearch
{
    std::vector<BestSubset> bySize;    ///< [units] entry i: of i + 1 units
    std::optional<HeldOutGain> best;   ///< of the best set of all sizes on each half
    std::optional<HeldOutGain> fewest; ///< of the best set of the fewest units that is as good as all on each half
};

/// One step of taking heads (or whole KV groups) away.
struct PruningStep
{
    std::int64_t unit = -1; ///< head or group removed (backward, single) or added (forward); -1 for the starting point
    double value = 0;       ///< the measure afterwards
    std::int64_t hits = 0;  ///< documents that the value counts, where it is a share of documents
    std::optional<std::int64_t> parametersSaved; ///< of this layer's attention so far; none: see savingsOf()
    std::optional<std::int64_t> kvBytesSaved;    ///< per token in this layer at 2 bytes a value
    bool onFront = false;                        ///< no other step is at least as good in all and better in one
    std::int64_t removed = 0;                    ///< units that are off
};

/// The k of the match that units are ordered by where nobody chose one: 5, or 1 where 5 topics are all there are, so
/// that every document would match.
[[nodiscard]] constexpr std::int64_t orderingMatchAt(std::int64_t topics)
{
    constexpr std::int64_t kUsual = 5;
    return topics > kUsual ? kUsual : 1;
}

/// All that is known of taking units away over the same documents.
struct PruningFindings
{
    std::int64_t matchAt = 5;                  ///< k of the match that is measured
    std::vector<PruningStep> steps;            ///< the greedy order, its starting point first
    PruningValidation validation;              ///< of the greedy order; empty while it is not known
    std::vector<PruningStep> alone;            ///< every unit taken away alone
    std::vector<PairedDifference> differences; ///< of `alone`
    std::int64_t documents = 0;                ///< with a label
    bool isCertain = false;                    ///< every document matches, or names one topic: nothing to test
};

/// Measures of the heads that are switched on, and of all heads for comparison.
struct MaskEffects
{
    static constexpr std::array<std::int64_t, 3> kMatchAt = {1, 5, 10};
    /// Which of these orders the heads.
    [[nodiscard]] std::size_t orderingMatch() const { return orderingMatchAt(topics) == kMatchAt[0] ? 0 : 1; }

    std::vector<bool> kept;              ///< [H]
    std::array<double, 3> match{};       ///< share of labelled documents, NaN without topics
    std::array<double, 3> matchAll{};    ///< the same of all heads
    std::array<Interval, 3> matchCi95{}; ///< 95%, Wilson's; none where all topics are among the nearest
    std::array<Interval, 3> matchAllCi95{};
    std::array<std::optional<PairedDifference>, 3> matchDifference;
    std::int64_t topics = 0;         ///< number of topics in the match; 0: none
    std::optional<double> retrieval; ///< recall at 10 by cosine, where relevant documents are known
    std::optional<double> retrievalAll;
    std::optional<PairedDifference> retrievalDifference;
    std::optional<double> probe; ///< accuracy of a probe for the label; set later, because it has to be fitted
    std::optional<double> probeAll;
    std::optional<PairedDifference> probeDifference; ///< over the tested documents
    std::optional<std::int64_t> parametersSaved;     ///< as of PruningStep
    std::optional<std::int64_t> kvBytesSaved;
    std::int64_t labelled = 0;     ///< documents in the match
    std::int64_t documents = 0;    ///< looked at
    std::int64_t allDocuments = 0; ///< of the cache
    Origin origin{};
};

} // namespace headscope
