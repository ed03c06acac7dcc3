// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/origin.h"
#include "model/data/results/head_results.h"
#include "model/data/results/interval.h"
#include "model/data/results/probe_result.h"
#include "model/data/stage.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// How the layers of a model are measured.
struct LayerOptions
{
    ProbeOptions probe;
    int neighbors = 10;                               ///< nearest documents whose label is looked at
    std::int64_t permutations = kDefaultPermutations; ///< of the labels, for the purity's p; the seed is the probe's
    CkaMethod cka = CkaMethod::Debiased;

    friend bool operator==(const LayerOptions&, const LayerOptions&) = default;
};

/// Declares how layers are measured.
void fields(Fields& f, LayerOptions& o);

/// Measures of one stage of one layer: how well its heads can be distinguished, how pure its topics are, and how
/// similar its heads are. A measure that the data do not allow is NaN, and `missing` says why.
struct LayerMeasures
{
    LayerIndex layer;
    Stage stage = Stage::HeadOutput;
    LayerOptions options;
    std::int64_t documents = 0;
    std::int64_t heads = 0;
    bool afterFinalNorm = false;

    double accuracy = std::numeric_limits<double>::quiet_NaN(); ///< of the head-index probe
    Interval accuracyCi95;
    std::string accuracyMethod;                                       ///< of the interval, as ProbeResult::ci95Method
    double effectiveRows = 0;                                         ///< as ProbeResult::effectiveRows
    std::int64_t testDocuments = 0;                                   ///< of which the accuracy and its interval are
    double accuracyChance = std::numeric_limits<double>::quiet_NaN(); ///< 1 / heads
    bool converged = true;

    /// Share of a document's own label among its nearest documents, mean over the documents.
    double purity = std::numeric_limits<double>::quiet_NaN();
    Interval purityCi95;                                            ///< jackknife by document
    PermutationNull purityNull;                                     ///< labels shuffled among the documents
    double purityChance = std::numeric_limits<double>::quiet_NaN(); ///< the same for neighbours at random
    std::int64_t purityDocuments = 0;                               ///< labelled, with a direction

    /// Linear CKA, mean over the pairs of different heads.
    double redundancy = std::numeric_limits<double>::quiet_NaN();
    Interval redundancyCi95;          ///< jackknife by document; none of the biased estimate
    std::int64_t redundancyPairs = 0; ///< pairs whose heads both vary

    std::vector<std::string> missing; ///< a sentence for each measure that could not be taken
    double seconds = 0;
    Origin origin{};
};

using LayerList = std::vector<std::shared_ptr<const LayerMeasures>>;

} // namespace headscope
