// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/net/forward/network.h"
#include "model/net/run/head_extractor.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace headscope
{

/// Whole documents that go through the network together.
struct PackedDocuments
{
    StepInput input;
    std::vector<std::size_t> documents; ///< places of those in the step
};

/// Steps of at least so many tokens, but for the last one; documents without a token are in none.
[[nodiscard]] std::vector<PackedDocuments> packDocuments(std::span<const TokenizedDocument> documents,
                                                         std::int64_t stepTokens);

/// What is done with a step, on a worker's own operations.
using StepWork = std::function<Status(Operations& ops, const PackedDocuments& step, const std::stop_token& stop)>;

/// Does the work of all steps on as many workers as the options have. What goes wrong in one ends all.
/// @errors those of the work; Cancelled, OutOfMemory
[[nodiscard]] Status runPackedSteps(const ExtractionOptions& options, std::span<const PackedDocuments> steps,
                                    const StepWork& work, JobContext& job);

} // namespace headscope
