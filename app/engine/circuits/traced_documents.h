// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/run/documents_run.h"
#include "app/engine/circuits/circuit_texts.h"
#include "app/engine/opened_model.h"
#include "app/shell/common_options.h"
#include "model/analysis/circuits/contributions.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::engine
{

/// Documents whose vectors are taken apart, and what that was made from. N documents.
struct TracedDocuments
{
    std::vector<std::string> ids;        ///< [N]
    std::vector<std::string> beginnings; ///< [N] of their texts, on one line
    std::vector<std::pair<std::string, std::string>> hashes;
    std::int64_t tokens = 0;
    std::int64_t empty = 0;
    std::int64_t truncated = 0;
    std::int64_t nonFinite = 0; ///< documents without a finite vector, which are left out
    std::vector<std::string> notices;
    ResidualModel model;                  ///< views of the extractor's weights
    std::vector<PooledSummands> summands; ///< [N]
    std::vector<double> norms;            ///< [N] lengths of the vectors
};

/// Which documents of a command are run.
struct DocumentChoice
{
    std::function<bool(const std::string& id)> wanted = {}; ///< empty: all
    /// Looks at the ids of those that were read, before the model runs; empty: it is not asked.
    std::function<Status(const std::vector<std::string>& ids)> check = {};
};

/// Runs documents through a model and keeps what their vectors are sums of.
/// @param extractor  with embeddingOptions; outlives the findings
/// @param maxTokens  of a text
/// @errors Unsupported (a family of other norms), OutOfMemory; those of choice.check, of DocumentReader, the
///         tokenizer and HeadExtractor::traceDocuments; Cancelled
/// @threads documents in parallel; the result does not depend on the number of threads
[[nodiscard]] Result<TracedDocuments> traceTexts(const commands::DocumentsRun& command,
                                                 const shell::CommonOptions& common, const OpenedModel& model,
                                                 const HeadExtractor& extractor, const ExtractionOptions& options,
                                                 std::int64_t maxTokens, const DocumentChoice& choice, JobContext& job);

} // namespace headscope::engine
