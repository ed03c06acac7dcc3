// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope::engine
{

/// Texts that are run with every mask.
struct MaskTexts
{
    std::vector<TokenizedDocument> documents;
    std::vector<TokenizedDocument> topics; ///< names of labels; empty: no match is measured
    std::vector<std::int32_t> labels;      ///< [documents] index of the own topic; -1: none
};

/// What came of them. Documents without a token have NaN.
struct MaskOutcome
{
    MatrixD cosine; ///< [edits, documents] with the embedding of the first edit, which is the whole model
    MatrixD match;  ///< [edits, documents] 1 where the own topic is the nearest, NaN without a label; empty: no topics
};

/// @param edits  the first one changes nothing
/// @errors those of HeadExtractor::runEdits
[[nodiscard]] Result<MaskOutcome> runMasks(const HeadExtractor& extractor, const MaskTexts& texts,
                                           std::span<const ModelEdit> edits, JobContext& job);

} // namespace headscope::engine
