// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/importance_command.h"
#include "app/engine/serve/resident_model.h"
#include "app/engine/serve/session.h"
#include "app/shell/common_options.h"

namespace headscope::engine
{

/// What the model loses without each head that stays (app/engine/PROTOCOL.md): as the verb, with its notices.
/// @errors those of ResidentModel, importanceJob and measureImportance; WrongUse (an output)
[[nodiscard]] JobOutcome servedImportance(const commands::ImportanceCommand& command,
                                          const shell::CommonOptions& common, ResidentModel& resident,
                                          JobContext& context);

} // namespace headscope::engine
