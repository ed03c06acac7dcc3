// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"
#include "model/data/results/probe_result.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace headscope
{

/// How well a document's label is told from one vector of it.
struct LabelScore
{
    std::int64_t head = -1; ///< 0-based; -1: the vectors of all chosen heads one after another
    std::int64_t hits = 0;
    double accuracy = 0;
    Interval ci95;               ///< Wilson's: a document is one row
    double balancedAccuracy = 0; ///< mean recall of the labels that have test documents
    /// Share of 1,999 shuffles of the labels among the test documents of which as many are told; never 0.
    double p = std::numeric_limits<double>::quiet_NaN();
    double q =
        std::numeric_limits<double>::quiet_NaN(); ///< p by Benjamini & Hochberg over the heads; NaN for all heads
    bool converged = false;
    std::vector<double> splits{}; ///< accuracies over the splits, the first one's the first; empty: one split alone
    double splitMean = std::numeric_limits<double>::quiet_NaN();
    double splitSd = std::numeric_limits<double>::quiet_NaN(); ///< of the accuracies, not of their mean
};

/// A label of the documents, told by a linear probe from each head and from all of them. Immutable once published.
struct LabelProbeResult
{
    Stage stage = Stage::HeadOutput;
    std::int64_t layer = 0;
    std::string label; ///< name of the column
    ProbeOptions options;
    std::int64_t classes = 0; ///< labels with documents
    std::int64_t trainDocuments = 0;
    std::int64_t testDocuments = 0;
    std::int64_t leftOut = 0;    ///< documents with NaN or infinity
    std::int64_t untrained = 0;  ///< test documents whose label no training document has: never told
    double majority = 0;         ///< share of the test documents with the commonest label of the training documents
    double balancedMajority = 0; ///< balanced accuracy of naming always the same label: 1 / labels with test documents
    std::vector<LabelScore> heads; ///< in the order of the chosen heads
    LabelScore full;
    double seconds = 0;
};

} // namespace headscope
