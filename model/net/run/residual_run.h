// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/residual_trace.h"
#include "model/net/run/head_extractor.h"

#include <cstddef>
#include <functional>
#include <span>

namespace headscope
{

struct ExtractionSetup;

/// Takes what documents left in the residual stream, from any worker, several at once but never one document twice.
/// @param document  place among the documents
using TraceSink = std::function<Status(std::size_t document, const ResidualTrace& trace)>;

/// HeadExtractor::traceDocuments: workers take steps of whole documents in turn.
/// @param setup  of an extractor of the embedding: stage 3 of the last layer, after the final norm
/// @cost  memory of a worker: for each pooled token of a step L (H Dh + 2 Dm) numbers
[[nodiscard]] Status traceResiduals(const ExtractionSetup& setup, std::span<const TokenizedDocument> documents,
                                    const TraceSink& sink, JobContext& job);

} // namespace headscope
