// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/circuits/contributions_command.h"
#include "app/engine/circuits/traced_documents.h"
#include "app/shell/common_options.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/contribution_results.h"
#include "model/data/matrix.h"

#include <array>
#include <cstdint>
#include <vector>

namespace headscope::engine
{

/// What the vectors of documents are made of, and what that was made from. N documents.
struct ContributionsFindings : TracedDocuments
{
    ContributionsResult result;
    std::vector<PartValues> direct;       ///< [N] each sums to its norm
    std::vector<double> centredNorms;     ///< [N] without the mean over the documents
    std::vector<PartValues> centred;      ///< [N] likewise
    std::array<std::size_t, 2> pair = {}; ///< places of the pair
    MatrixD pairMatrix;                   ///< [M, M], or empty
};

/// Whether options go together.
/// @errors WrongUse
[[nodiscard]] Status checkContributionsChoices(const commands::ContributionsCommand& command);

/// Runs documents through a model and takes their vectors apart.
/// @param extractor  with embeddingOptions; outlives the findings
/// @param maxTokens  of a text
/// @errors Unsupported (a family of other norms), WrongUse (a pair that is none), OutOfMemory, InvalidArgument (no
///         document with a finite vector); those of DocumentReader, the tokenizer and
///         HeadExtractor::traceDocuments; Cancelled
/// @threads documents in parallel; the result does not depend on the number of threads
[[nodiscard]] Result<ContributionsFindings> findContributions(const commands::ContributionsCommand& command,
                                                              const shell::CommonOptions& common,
                                                              const OpenedModel& model, const HeadExtractor& extractor,
                                                              const ExtractionOptions& options, std::int64_t maxTokens,
                                                              JobContext& job);

} // namespace headscope::engine
