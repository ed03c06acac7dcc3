// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/circuits/contributions_command.h"
#include "app/commands/circuits/lens_command.h"
#include "app/engine/serve/resident_model.h"
#include "app/engine/serve/session.h"
#include "app/shell/common_options.h"
#include "model/base/job_context.h"

namespace headscope::engine
{

/// The answer of `contributions --json`, by the model in memory; with an output the file, too.
[[nodiscard]] JobOutcome servedContributions(const commands::ContributionsCommand& command,
                                             const shell::CommonOptions& common, ResidentModel& resident,
                                             JobContext& context);

/// The answer of `lens --json`, likewise.
[[nodiscard]] JobOutcome servedLens(const commands::LensCommand& command, const shell::CommonOptions& common,
                                    ResidentModel& resident, JobContext& context);

} // namespace headscope::engine
