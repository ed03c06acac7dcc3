// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/net/forward/model_edit.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// What heads put out on average (stage 1), over all tokens of some documents, each token once.
struct TokenMeans
{
    std::vector<std::int64_t> layers; ///< ascending
    MatrixF means;                    ///< [layers, H Dh]
    std::int64_t documents = 0;       ///< with at least one token
    std::int64_t tokens = 0;
    std::string digest; ///< XXH3-128 of the token ids, each document's behind their number

    /// The means of some heads of a layer, [heads, Dh]; empty where the layer is not among them.
    [[nodiscard]] std::vector<float> of(std::int64_t layer, std::span<const HeadIndex> heads,
                                        std::int64_t headDim) const;
};

/// The options of an extractor that measureTokenMeans() takes: stage 1 of some layers, no head off.
[[nodiscard]] ExtractionOptions optionsForMeans(const ExtractionOptions& like, std::vector<std::int64_t> layers);

/// Runs documents through a model and averages. An instruction in front of a text counts like any of its tokens.
/// @param extractor  with optionsForMeans
/// @param documentCount  for progress; 0 = not known
/// @errors InvalidArgument (no token at all, a mean that is not finite); those of HeadExtractor::run
/// @threads independent of the number of threads, to the bit
[[nodiscard]] Result<TokenMeans> measureTokenMeans(const HeadExtractor& extractor, const TokenStream& stream,
                                                   std::uint64_t documentCount, JobContext& job);

} // namespace headscope
