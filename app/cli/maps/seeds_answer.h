// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/verb.h"
#include "app/cli/verbs/seed_runs.h"
#include "app/cli/verbs/tsne_run.h"

#include <string>

namespace headscope::cli
{

/// The output of `tsne --seeds`: the maps, and how far they agree.
/// @param output  file name as typed; empty: none
[[nodiscard]] Answer seedsAnswer(const SeedRuns& run, const TsneSource& source, const std::string& output,
                                 double total);

} // namespace headscope::cli
