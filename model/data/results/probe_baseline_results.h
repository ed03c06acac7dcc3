// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace headscope
{

/// With fewer documents, queries or pairs a resampled measure (a control task, an evaluation) has no interval.
inline constexpr std::int64_t kMinResampled = 10;

/// What a probe's accuracy is compared with; each is the same probe, split by the same seed, on other vectors or
/// labels.
enum class ProbeBaselineKind
{
    /// Each head's mean over the training documents is taken away from all its vectors. The optimum of a linear probe
    /// is then W = 0, for any data: chance by algebra. It shows that the probe reads the heads' mean vectors (their
    /// offsets) and nothing else of them.
    MeansRemoved,
    /// Independent normal numbers with each head's mean and variance of every coordinate (training documents): as
    /// accurate as the probe where offsets and spread are all it needs.
    Gaussian,
    /// The coordinates of all chosen heads of a document, one after another, permuted once and cut into as many equal
    /// parts: what is distinguished here are sets of coordinates drawn at random.
    RandomCut,
    /// A control task (Hewitt & Liang 2019): labels that say nothing about heads, but are fixed functions of the input.
    ControlTask,
};

/// "means_removed", "gaussian", "random_cut", "control_task": in --json.
[[nodiscard]] std::string_view baselineName(ProbeBaselineKind kind);
/// "means removed", "control task": in tables.
[[nodiscard]] std::string_view baselineTitle(ProbeBaselineKind kind);

struct ProbeBaseline
{
    ProbeBaselineKind kind = ProbeBaselineKind::MeansRemoved;
    double accuracy = 0;
    Interval ci95; ///< as the probe's own
    double effectiveRows = 0;
    std::int64_t testRows = 0;
    bool converged = false;
};

/// Accuracy over splits by the seeds seed, seed + 1, ...
struct ProbeSplits
{
    std::vector<double> accuracies;
    double mean = std::numeric_limits<double>::quiet_NaN();
    /// Of the accuracies, with n - 1; not a standard error: the splits share documents. NaN for one split.
    double sd = std::numeric_limits<double>::quiet_NaN();
};

/// What stands wherever errors are said to stay in a group: a cache holds no values, so that nobody can tell.
inline constexpr std::string_view kValuesNotMeasured = "Heads in a group share keys and values. How much of the "
                                                       "confusion comes only from the shared values is not measured.";

/// Whether errors stay inside KV groups more often than they would inside other groups of heads.
struct GroupErrors
{
    std::int64_t within = 0; ///< test vectors misclassified as another head of the same group
    std::int64_t errors = 0; ///< test vectors misclassified as another head
    double share = std::numeric_limits<double>::quiet_NaN(); ///< within / errors; NaN without an error
    Interval ci95;                                           ///< of the share, by document
    /// The share if every head's errors were spread evenly over all other heads.
    double chance = std::numeric_limits<double>::quiet_NaN();
    std::int64_t rank = 0;      ///< 1: no other grouping holds more errors; equal ones do not count
    std::int64_t groupings = 0; ///< of the heads into groups of these sizes that were compared, this one included
    bool exact = false;         ///< these are all there are; else drawn at random
    /// Proportion of the groupings with at least as many errors; of sampled ones (1 + count) / (1 + samples).
    double p = std::numeric_limits<double>::quiet_NaN();

    /// The p of a grouping that no other one reaches: no p of these groupings can be smaller.
    [[nodiscard]] double smallestP() const
    {
        return groupings > 0 ? 1 / static_cast<double>(groupings) : std::numeric_limits<double>::quiet_NaN();
    }
};

/// What stands beside a head-index probe's accuracy. Immutable once published.
struct ProbeBaselines
{
    double chance = 0; ///< 1 / classes
    std::vector<ProbeBaseline> baselines;
    /// The control-task gap, accuracy minus that of the control task (Hewitt and Liang's "selectivity", a word that
    /// the statistics of heads have for something else); its interval by resampling documents, wider by what the draws
    /// of the task differ (Student's t).
    double selectivity = std::numeric_limits<double>::quiet_NaN();
    Interval selectivityCi95;
    std::int64_t controlDraws = 0; ///< of the task: `selectivity` and the baseline are means over them
    double controlSd = 0;          ///< of their accuracies
    ProbeSplits splits;
    /// Accuracy when the true heads of each document's rows are permuted and the predictions stay (no refits): what a
    /// probe whose predictions say nothing about heads would reach.
    PermutationNull null;
    std::optional<GroupErrors> groups; ///< of the probe; empty without KV groups
    /// The same after each KV group's mean vector (training documents) was taken away. A share that stays above chance
    /// does not come from an offset that the group's heads have in common. Less than chance is expected, since what is
    /// left of a group's heads sums to zero, which pushes them apart; rank and p, which compare with groups that were
    /// not centred, mean nothing here. How much comes from shared values (V) only the model itself can tell.
    std::optional<GroupErrors> groupsCentred;
    double seconds = 0;

    /// Null where it was not made.
    [[nodiscard]] const ProbeBaseline* find(ProbeBaselineKind kind) const
    {
        for (const ProbeBaseline& each : baselines)
            if (each.kind == kind)
                return &each;
        return nullptr;
    }
};

} // namespace headscope
