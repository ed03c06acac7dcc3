// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/serve/embed_command.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/lesson/regroup_result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::desktop
{

class EngineServer;

/// Nearest documents that are compared, and texts that are embedded at most where somebody waits.
inline constexpr std::int64_t kRegroupNeighbors = 10;
inline constexpr std::size_t kRegroupTexts = 40;

/// What is measured, and on what.
struct RegroupQuestion
{
    commands::EmbedCommand embed; ///< the model, and how a text becomes tokens and a vector
    ModelInfo model;
    std::vector<std::string> texts;
    std::int64_t ofTexts = 0; ///< that these were taken from
    std::string from;         ///< what they are: "demo-cache.h5"
    std::string sentence;     ///< whose attention is compared; "": none
    Origin origin;
    int threads = 1;
};

/// Runs the model with its keys and values averaged to fewer pairs, for each number that divides its own, and compares
/// the vectors of the texts, their nearest texts, and the attention of the sentence with those of the model as it is.
/// @errors  those of EngineServer::ask; BadFormat (an answer that makes no sense), InvalidArgument (fewer than three
///          texts, or one pair already), Cancelled
/// @cost    a run of the model over all texts for each number of pairs
/// @threads to be called on a worker: waits for the engine
[[nodiscard]] Result<RegroupResult> measureRegrouping(EngineServer& engine, const RegroupQuestion& question,
                                                      JobContext& job);

/// So many texts of all, evenly spread.
[[nodiscard]] std::vector<std::string> spreadTexts(const std::vector<std::string>& texts, std::size_t most);

} // namespace headscope::desktop
