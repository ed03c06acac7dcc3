// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "app/results/card/card_model_parts.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace headscope::cli
{

/// What the engine is to find out for cards.
struct CardRuns
{
    std::filesystem::path engine;
    std::string model;              ///< file or folder
    std::vector<LayerIndex> layers; ///< of the cards
    std::string heads;              ///< of the cards, "4"; empty: all
    std::string label;              ///< label column of the cards; empty: none
    std::int64_t documents = 32;    ///< of the cache, drawn with the seed
    std::uint64_t seed = 1;
    int threads = 1;
    bool ablate = false; ///< also without the heads
};

/// Runs the model on documents of a cache, in the engine: its lens, the statistics of its attention, composition, and
/// if it is asked for the drop without heads. What the engine does not offer for this model is kept as missing.
/// @errors those of runEngine but for what is missing; InvalidArgument (another model); Resource (temporary files);
///         Cancelled
[[nodiscard]] Result<CardModelParts> runModelForCards(const CacheInput& input, const CardRuns& runs, JobContext& job);

} // namespace headscope::cli
