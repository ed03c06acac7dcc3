// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/attention_command.h"
#include "app/commands/command_line.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/attention/attention_run.h"
#include "model/data/origin.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::desktop
{

class EngineServer;

/// Pixels along a side of the small pictures; a text of so many tokens has its weights in them.
inline constexpr std::int64_t kThumbnailSide = 64;
/// Most bytes of weights that are fetched with a run; of longer texts those of single heads are, when they are shown.
inline constexpr std::uint64_t kMaxWeightBytes = std::uint64_t{64} << 20;

/// A text that is asked of a model.
struct AttentionQuestion
{
    /// Model and text, how it becomes tokens, and which heads are off.
    commands::CommandLine<commands::AttentionCommand> line;
    /// The document that the text is of, and the cache that has it.
    std::optional<DocumentIndex> document;
    Origin documentOrigin;

    friend bool operator==(const AttentionQuestion&, const AttentionQuestion&) = default;
};

/// The attention of the text: tokens, statistics and small pictures of all heads, and where the text is short the
/// weights of all heads.
/// @errors those of EngineServer::ask; BadFormat (an answer that makes no sense)
[[nodiscard]] Result<AttentionRunPtr> fetchAttention(EngineServer& engine, const AttentionQuestion& question,
                                                     JobContext& job);

/// The weights of these heads of a layer, without those that the run holds.
/// @errors as fetchAttention; BadFormat also where the model is another one by now
[[nodiscard]] Result<std::vector<HeadWeights>> fetchWeights(EngineServer& engine, const AttentionQuestion& question,
                                                            const AttentionRun& run, LayerIndex layer,
                                                            const std::vector<HeadIndex>& heads, JobContext& job);
/// Queries, keys, values and outputs of a layer.
/// @errors as fetchWeights
[[nodiscard]] Result<std::shared_ptr<const LayerVectors>> fetchVectors(EngineServer& engine,
                                                                       const AttentionQuestion& question,
                                                                       const AttentionRun& run, LayerIndex layer,
                                                                       JobContext& job);

/// A copy of the run that holds these, too; what came first goes where it would hold too much.
[[nodiscard]] AttentionRunPtr withWeights(const AttentionRun& run, const std::vector<HeadWeights>& weights);
[[nodiscard]] AttentionRunPtr withVectors(const AttentionRun& run, std::shared_ptr<const LayerVectors> vectors);

} // namespace headscope::desktop
