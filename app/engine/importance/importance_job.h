// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/importance_command.h"
#include "app/engine/opened_model.h"
#include "app/shell/common_options.h"
#include "model/analysis/importance/mask_plan.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/results/importance_results.h"
#include "model/net/run/head_extractor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::engine
{

/// The values behind a measure. [masks of the plan, documents]
struct MaskValuesOf
{
    ImportanceMeasure measure = ImportanceMeasure::Cosine;
    MatrixD values;
    std::vector<std::string> ids; ///< of the documents
};

/// What the heads of a model are worth, and what that was made from.
struct ImportanceFindings
{
    ImportanceResult result;
    MaskPlan plan;
    std::vector<MaskValuesOf> values; ///< as result.measures
    ImportanceRun run;
    std::vector<std::string> notices;
};

/// What is asked for, as far as it depends on the model.
struct ImportanceJob
{
    ExtractionOptions options; ///< of the whole model: the embedding
    std::int64_t maxTokens = 0;
    std::int64_t unitHeads = 1; ///< heads of a player
    std::vector<AblationUnit> players;
    std::int64_t masks = 0;
};

/// @errors WrongUse (options that do not go together), InvalidArgument (layers that the model does not have, too few
///         masks)
[[nodiscard]] Result<ImportanceJob> importanceJob(const commands::ImportanceCommand& command,
                                                  const shell::CommonOptions& common, const OpenedModel& model);

/// Runs the model with every mask over the documents.
/// @param extractor  with the job's options
/// @errors those of DocumentReader, the tokenizer, HeadExtractor and playerValues; InvalidArgument (no document with a
///         token); Cancelled
/// @threads documents in parallel; the result does not depend on the number of threads
[[nodiscard]] Result<ImportanceFindings> measureImportance(const commands::ImportanceCommand& command,
                                                           const shell::CommonOptions& common, const OpenedModel& model,
                                                           const ImportanceJob& job, const HeadExtractor& extractor,
                                                           JobContext& context);

} // namespace headscope::engine
