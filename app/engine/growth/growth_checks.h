// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/ablation/ablation.h"
#include "app/engine/extraction/run_extraction.h"
#include "app/engine/opened_model.h"
#include "model/base/result.h"
#include "model/io/shards/cache_growth.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>

namespace headscope::engine
{

/// Whether a model is of the shape of the one that a cache was made with, has its tokenizer, and the request has its
/// settings: all that can be told before the weights are read.
/// @param options    of the request
/// @param maxTokens  of a text
/// @param ablation   without its means
/// @errors InvalidArgument: every difference, with what the cache has and what was found
[[nodiscard]] Status checkSameSettings(const AppendTarget& cache, const ExtractionRequest& request,
                                       const OpenedModel& model, const ExtractionOptions& options,
                                       std::int64_t maxTokens, const Ablation& ablation);

/// Whether heads are set to the means that the cache was made with.
/// @param ablation  with its means
/// @errors InvalidArgument: what the cache has, and what was found
[[nodiscard]] Status checkSameReference(const AppendTarget& cache, const Ablation& ablation);

/// Whether the model's files are those that the cache was made with.
/// @param model  with the digests of its files
/// @errors InvalidArgument, naming the files that differ
[[nodiscard]] Status checkSameFiles(const AppendTarget& cache, const OpenedModel& model);

} // namespace headscope::engine
