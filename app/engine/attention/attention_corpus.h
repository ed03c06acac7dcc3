// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/attention_command.h"
#include "app/engine/attention/attention_job.h"
#include "app/engine/opened_model.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::engine
{

/// Statistics of attention over documents.
struct CorpusAttention
{
    std::int64_t documents = 0; ///< with at least one token
    std::int64_t tokens = 0;
    std::int64_t empty = 0;
    std::int64_t truncated = 0;
    std::vector<AttentionTable> tables; ///< means over the documents that have a value, each of the same weight
    std::vector<AttentionTable> low;    ///< of their 95% intervals over documents, by Student's t; NaN: of one document
    std::vector<AttentionTable> high;
    std::vector<std::string> notices;   ///< of the reader
};

/// Measures the documents of AttentionCommand::corpus.
/// @param job  without a text
/// @errors those of DocumentReader, the tokenizer and HeadExtractor::watchAttention; InvalidArgument (no token at all)
/// @threads a document each on as many threads as the job has; the result does not depend on them
[[nodiscard]] Result<CorpusAttention> measureCorpus(const commands::AttentionCommand& options, const AttentionJob& job,
                                                    const OpenedModel& model, const HeadExtractor& extractor,
                                                    JobContext& context);

} // namespace headscope::engine
