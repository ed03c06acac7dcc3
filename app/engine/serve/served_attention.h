// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/attention_command.h"
#include "app/engine/serve/embed.h"
#include "app/engine/serve/resident_model.h"
#include "app/shell/common_options.h"

#include <string>

namespace headscope::engine
{

/// The attention of a text (app/engine/PROTOCOL.md): statistics in the answer, weights and vectors in a file, an HDF5
/// file where `output` names one, else a plain one that goes as those of `embed`.
/// @return  JSON
/// @errors those of ResidentModel, of the tokenizer and of AttentionFile; WrongUse; InvalidArgument (more than a file
///         without a name may hold); Cancelled
[[nodiscard]] Result<std::string> servedAttention(commands::AttentionCommand command,
                                                  const shell::CommonOptions& common, ResidentModel& model,
                                                  VectorFiles& files, JobContext& job);

} // namespace headscope::engine
