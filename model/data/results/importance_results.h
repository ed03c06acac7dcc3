// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/origin.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope
{

/// A mean over documents with its 95% interval, the bootstrap's by document.
struct Estimate
{
    double value = std::numeric_limits<double>::quiet_NaN();
    Interval ci95; ///< of a difference NaN where it is not 0 for fewer than kMinChanged documents
};

/// What is measured of an embedding that was made without some heads.
enum class ImportanceMeasure
{
    Cosine, ///< with the document's embedding by the whole model
    Match,  ///< 1 where the document's own topic is the nearest, all embedded by the same ablated model
};

[[nodiscard]] constexpr std::string_view measureName(ImportanceMeasure measure)
{
    return measure == ImportanceMeasure::Cosine ? "cosine" : "match";
}

/// What a head is to a measure on the average over models in which half of the others are off.
enum class PlayerRole
{
    Undecided,    ///< the interval does not tell
    Facilitating, ///< the measure is higher with it
    Interfering,  ///< the measure is lower with it
};

/// What a role is called. The cosine with the whole model says how much changes, not whether for the worse, so that no
/// head helps or harms it.
[[nodiscard]] constexpr std::string_view roleName(PlayerRole role, ImportanceMeasure measure)
{
    const bool isCosine = measure == ImportanceMeasure::Cosine;
    switch (role)
    {
    case PlayerRole::Undecided:
        break;
    case PlayerRole::Facilitating:
        return isCosine ? "nearer" : "facilitating";
    case PlayerRole::Interfering:
        return isCosine ? "farther" : "interfering";
    }
    return "undecided";
}

/// What one head (or KV group) is worth: how a measure differs with it and without.
struct UnitEffect
{
    Estimate leftOut; ///< v(all) - v(all but it)
    Estimate alone;   ///< v(it alone) - v(none)
    /// Of the least squares over the drawn masks; its interval holds both errors below, by Student's t.
    Estimate coefficient;
    /// Of the coefficient, over the masks; NaN where all masks were measured: nothing was drawn.
    double standardError = std::numeric_limits<double>::quiet_NaN();
    /// Of the coefficient, over the documents; NaN where fewer than kMinChanged change.
    double documentError = std::numeric_limits<double>::quiet_NaN();
    /// Two-sided, of a coefficient of 0, by both errors; NaN without an interval.
    double p = std::numeric_limits<double>::quiet_NaN();
    double q = std::numeric_limits<double>::quiet_NaN(); ///< Benjamini-Hochberg over the players of the measure
    PlayerRole role = PlayerRole::Undecided;             ///< the interval of the coefficient lies on one side of 0
    /// Where all masks were measured, else NaN.
    double shapley = std::numeric_limits<double>::quiet_NaN();
};

/// What a measure says of every player.
struct MeasureValues
{
    std::int64_t documents = 0; ///< that the measure is a mean over
    Estimate all;               ///< v with every player
    Estimate none;              ///< v without any
    double intercept = std::numeric_limits<double>::quiet_NaN();
    double interceptError = std::numeric_limits<double>::quiet_NaN();
    /// Of the least squares; low: players interact, and no list of single numbers will do. NaN where v never changes.
    double r2 = std::numeric_limits<double>::quiet_NaN();
    std::vector<UnitEffect> players; ///< [players]
};

/// A head or KV group that takes part.
struct AblationUnit
{
    std::int64_t layer = 0;
    std::int64_t unit = 0; ///< head or group, from 0

    friend bool operator==(const AblationUnit&, const AblationUnit&) = default;
};

/// A measure and what it says.
struct NamedValues
{
    ImportanceMeasure measure = ImportanceMeasure::Cosine;
    MeasureValues values;
};

/// Heads or KV groups, measured by running the model without them.
struct ImportanceResult
{
    std::vector<AblationUnit> players; ///< layer by layer
    bool groups = false;               ///< players are KV groups, and not heads
    std::string ablation = "zero";     ///< what a head that is off is set to: "zero" or "mean"
    std::string reference;             ///< of "mean": over what
    std::int64_t documents = 0;        ///< measured
    std::int64_t allDocuments = 0;     ///< that they were drawn from
    std::int64_t masks = 0;            ///< drawn, or all
    bool exhaustive = false;           ///< all 2^players masks were measured
    std::uint64_t seed = 1;
    std::string model;       ///< its name
    std::string label;       ///< column of the match; empty: none
    std::int64_t topics = 0; ///< that are offered by the match, of which chance finds one; 0: no match
    double majority = 0;     ///< share of the commonest label: what always naming it gets
    std::vector<NamedValues> measures;
    Origin origin{};

    /// Whether always naming the commonest label is right clearly more often than guessing.
    [[nodiscard]] bool hasUnequalLabels(double chance) const
    {
        constexpr double kClearly = 0.05;
        return topics > 0 && majority > chance + kClearly;
    }
    /// What a measure says; null where it was not taken.
    [[nodiscard]] const MeasureValues* find(ImportanceMeasure measure) const
    {
        for (const NamedValues& each : measures)
            if (each.measure == measure)
                return &each.values;
        return nullptr;
    }
};

/// How the model was run for such a result.
struct ImportanceRun
{
    std::vector<std::pair<std::string, std::string>> hashes; ///< of the model's files by their names, SHA-256
    std::int64_t tokens = 0;
    std::int64_t empty = 0; ///< documents without a token, which are left out
    std::int64_t truncated = 0;
    std::int64_t nonFinite = 0; ///< documents with NaN or infinity in some vector, likewise
    std::int64_t runs = 0;      ///< of every document
    double seconds = 0;
};

/// What a measure of the cached vectors loses by a cut: the stage-1 vectors of a head taken out, the model not run.
struct CacheAblation
{
    ImportanceMeasure measure = ImportanceMeasure::Cosine;
    std::int64_t documents = 0;
    std::vector<Estimate> lost; ///< [players] with all - without this one
};

/// What the cheap measure says and what the true one does, over the same documents.
struct ImportanceComparison
{
    ImportanceResult inModel;
    std::vector<CacheAblation> ofCache;
    std::string cutMissing; ///< why the cache says nothing of a cut; empty: it does
    std::vector<std::string> notices;
    std::vector<std::int64_t> rows; ///< of the cache, ascending: documents that were run
    Origin origin{};

    /// What the cut says of a measure; null where it says nothing.
    [[nodiscard]] const CacheAblation* cutOf(ImportanceMeasure measure) const
    {
        for (const CacheAblation& each : ofCache)
            if (each.measure == measure)
                return &each;
        return nullptr;
    }
};

/// Whether two estimates can both be right.
enum class EstimateAgreement
{
    Unknown,  ///< one of them has no interval
    Overlap,  ///< their intervals have common numbers
    Excluded, ///< they have none
};

[[nodiscard]] constexpr EstimateAgreement agreementOf(const Estimate& a, const Estimate& b)
{
    if (!(a.ci95.low <= a.ci95.high) || !(b.ci95.low <= b.ci95.high))
        return EstimateAgreement::Unknown;
    return a.ci95.low > b.ci95.high || b.ci95.low > a.ci95.high ? EstimateAgreement::Excluded
                                                                : EstimateAgreement::Overlap;
}

} // namespace headscope
