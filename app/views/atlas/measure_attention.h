// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/attention_command.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/model_info.h"
#include "model/data/results/head_measures.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// What the attention of all heads is measured over: documents, and texts of random ids that are given twice.
struct AtlasAttentionRequest
{
    commands::AttentionCommand command; ///< model, and how texts become tokens
    ModelInfo info;                     ///< that made the cache
    std::shared_ptr<const DocumentSet> documents;
    std::vector<std::int64_t> rows; ///< documents that are measured, ascending
    std::int64_t of = 0;            ///< documents they were drawn from
    std::int64_t randomTexts = 16;  ///< 0: none
    std::int64_t randomIds = 48;    ///< of a text, which has them twice
    std::uint64_t seed = 1;
    Origin origin{}; ///< of the documents
};

/// The result of a request `attention` to an engine (app/engine/PROTOCOL.md).
using AskAttention = std::function<Result<nlohmann::json>(const nlohmann::json& params, JobContext& job)>;

/// The ids of random text `text`, each half the same: drawn evenly from the middle eight tenths of the vocabulary,
/// which has no special tokens.
[[nodiscard]] std::vector<std::int32_t> repeatedIds(std::int64_t vocabulary, std::int64_t count, std::int64_t text,
                                                    std::uint64_t seed);

/// Attention statistics of all heads: means over the documents, each of the same weight, with intervals; induction
/// and duplicate token over the random texts.
/// @return  measures of kind Attention; of random ids none where the vocabulary is not known
/// @errors those of `ask`; BadFormat (an answer of another shape); InvalidArgument (no document, another model than
///         the one that made the cache), Cancelled
/// @threads to be called on a worker
[[nodiscard]] Result<std::vector<HeadMeasure>> measureAttention(const AskAttention& ask,
                                                                const AtlasAttentionRequest& request, JobContext& job);

} // namespace headscope::desktop
