// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/origin.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace headscope
{

/// A model whose key and value projections were averaged to fewer heads, against the model as it is.
struct RegroupRow
{
    std::int64_t kvHeads = 0;                                 ///< after averaging
    double cosine = std::numeric_limits<double>::quiet_NaN(); ///< of a document's vectors before and after, mean
    Interval cosineCi95;                                      ///< bootstrap over documents
    /// Share of a document's nearest documents that stay the nearest, mean over documents.
    double kept = std::numeric_limits<double>::quiet_NaN();
    Interval keptCi95; ///< jackknife over documents
    /// Share of the attention of one sentence that lies on other tokens than before: total variation distance of each
    /// row of weights, mean over rows behind the first, heads and layers. NaN: not measured.
    double attention = std::numeric_limits<double>::quiet_NaN();
};

/// What a model loses when its heads have to share more than they were trained to. Made by the engine, or stored with
/// the program. Immutable once published.
struct RegroupResult
{
    ModelInfo model;
    std::vector<RegroupRow> rows; ///< by falling number of KV heads; the first is the model's own
    std::int64_t documents = 0;   ///< that were embedded
    std::int64_t ofDocuments = 0; ///< that there are
    std::int64_t neighbors = 0;   ///< nearest documents that are compared
    std::string sentence;         ///< whose attention is compared; "": none
    std::string texts;            ///< what the documents are: "the demo texts"
    bool stored = false;          ///< comes with the program
    Origin origin;                ///< of the cache whose documents they are; empty: stored

    /// Share of the nearest that would be kept by chance.
    [[nodiscard]] double chanceKept() const
    {
        return documents > 1 ? static_cast<double>(neighbors) / static_cast<double>(documents - 1) : 0;
    }
};

} // namespace headscope
