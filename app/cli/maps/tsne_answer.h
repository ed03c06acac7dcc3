// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"
#include "app/cli/verbs/tsne_run.h"

#include <string>

namespace headscope::cli
{

/// The output of `tsne` for one map.
/// @param state,output  file names as typed; empty: none
/// @param total         seconds of the whole verb
[[nodiscard]] Answer tsneAnswer(const TsneRun& run, const TsneSource& source, const std::string& state,
                                const std::string& output, double total);

/// The output of `tsne --map`: what the map says of itself.
/// @param place,output  as typed
[[nodiscard]] Answer drawnAnswer(const HeadMap& map, const ModelInfo& model, const std::string& place,
                                 const std::string& output);

} // namespace headscope::cli
