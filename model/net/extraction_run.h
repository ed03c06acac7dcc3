// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/head_extractor.h"
#include "model/net/network.h"

#include <vector>

namespace headscope
{

/// What stays the same over all runs of an extractor.
struct ExtractionSetup
{
    const ExtractionOptions& options;
    const Network& network;
    const TapPlan& plan;
    const std::vector<ExtractionBlock>& blocks;
};

/// HeadExtractor::run: workers take steps of whole documents in turn, compute them, and hand the
/// results over.
[[nodiscard]] Result<ExtractionReport> runExtraction(const ExtractionSetup& setup, const TokenStream& stream,
                                                     HeadVectorSink& sink, std::uint64_t documentCount,
                                                     JobContext& job);

} // namespace headscope
