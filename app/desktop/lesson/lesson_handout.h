// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/lesson/lesson_source.h"
#include "app/views/attention/source/fetch_attention.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "viz/lesson/handout.h"

#include <optional>
#include <vector>

namespace headscope::desktop
{

/// What a step of a handout is made from.
struct HandoutSource
{
    LessonSource source;
    std::optional<AttentionQuestion> run; ///< that the model is still to be asked for; nothing: the source has it
};

/// The attention of a text with the vectors of one layer, which is neither the first nor the last.
/// @errors those of fetchAttention
[[nodiscard]] Result<AttentionRunPtr> runWithVectors(EngineServer& engine, const AttentionQuestion& question,
                                                     JobContext& job);

/// A lesson on paper: every step with its picture as it is first shown, for what is open.
/// @param sources  of the steps; a run that cannot be made leaves the one that the source has
/// @param engine   that runs are asked of; null: none is missing
/// @errors  Cancelled; a picture that cannot be made says why in its place
/// @cost    that of all pictures and missing runs
/// @threads to be called on a worker
[[nodiscard]] Result<viz::Handout> makeHandout(const Lesson& lesson, std::vector<HandoutSource> sources,
                                               EngineServer* engine, JobContext& job);

} // namespace headscope::desktop
