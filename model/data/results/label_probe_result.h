// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"
#include "model/data/results/probe_result.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace headscope
{

/// How well a document's label is told from one vector of it, of one split of the documents.
struct LabelSplitScore
{
    std::int64_t hits = 0;
    double accuracy = 0;
    Interval ci95;               ///< Wilson's: a document is one row
    double balancedAccuracy = 0; ///< mean recall of the labels that have test documents
    /// Share of 1,999 shuffles of the labels among the test documents of which as many are told; never 0.
    double p = std::numeric_limits<double>::quiet_NaN();
};

/// The same over the splits: all numbers but `first` are of their mean.
struct LabelScore
{
    std::int64_t head = -1; ///< 0-based; -1: the vectors of all chosen heads one after another
    double accuracy = 0;
    Interval ci95; ///< of the mean over the splits, see splitInterval()
    double balancedAccuracy = 0;
    double p = std::numeric_limits<double>::quiet_NaN(); ///< of the p of all splits, see mergedSplitP()
    double q =
        std::numeric_limits<double>::quiet_NaN(); ///< p by Benjamini & Hochberg over the heads; NaN for all heads
    bool converged = false;                       ///< the probes of all splits
    std::vector<double> splits{};                 ///< accuracies, at least one
    double splitSd = std::numeric_limits<double>::quiet_NaN(); ///< of the accuracies, not of their mean; NaN of one
    LabelSplitScore first{};                                   ///< of the first split alone
};

/// A label of the documents, told by a linear probe from each head and from all of them. Immutable once published.
struct LabelProbeResult
{
    Stage stage = Stage::HeadOutput;
    std::int64_t layer = 0;
    std::string label; ///< name of the column
    ProbeOptions options;
    std::int64_t classes = 0; ///< labels with documents
    std::int64_t splits = 1;
    std::int64_t trainDocuments = 0;  ///< of each split
    std::int64_t testDocuments = 0;   ///< of each split
    std::int64_t testedDocuments = 0; ///< that test in any of them
    std::int64_t leftOut = 0;         ///< documents with NaN or infinity
    std::int64_t untrained = 0;       ///< test documents of the first split whose label none of its training ones has
    /// Share of the test documents with the commonest label of the training documents, mean over the splits.
    double majority = 0;
    double balancedMajority = 0;   ///< balanced accuracy of naming always that label, mean over the splits
    double firstMajority = 0;      ///< of the first split
    std::vector<LabelScore> heads; ///< in the order of the chosen heads
    LabelScore full;
    double seconds = 0;

    /// What is reached without the vectors: the larger of guessing among the labels and naming always the commonest.
    [[nodiscard]] double chance() const { return std::max(guessing(), majority); }
    [[nodiscard]] double guessing() const { return classes > 0 ? 1 / static_cast<double>(classes) : 0; }
    /// The p where no permutation is correct as often as the probe, twice the median over several splits: no p is
    /// smaller.
    [[nodiscard]] double smallestP() const { return (splits > 1 ? 2.0 : 1.0) / 2'000; }
};

} // namespace headscope
