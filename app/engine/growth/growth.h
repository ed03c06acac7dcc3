// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/extraction/run_extraction.h"
#include "model/base/result.h"

namespace headscope::engine
{

/// Adds documents, layers, stages and topic names to a cache (ExtractionRequest::into): computes what it lacks, and
/// puts a new cache into its place, whole. What ends this early leaves the cache as it was, and what was computed in
/// folders next to it, from which the same request continues.
///
/// The numbers are those of one extraction of all documents in this order. For that, the last documents of the cache
/// are computed again where new ones share a step with them.
/// @errors InvalidArgument (another model or other settings than those of the cache, by name; another text or label
///         under an id of the cache), those of openGrowingCache, and of an extraction
[[nodiscard]] Result<ExtractSummary> runGrowth(const ExtractionRequest& request, VerbContext& context);

} // namespace headscope::engine
