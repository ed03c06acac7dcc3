// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/attention_command.h"
#include "app/engine/engine_verb.h"
#include "model/base/result.h"

#include <filesystem>

namespace headscope::engine
{

/// `attention --corpus --activations`: one head over documents, into a file.
/// @param place  of the file, behind links, checked
/// @errors those of the plan, the run and the file
[[nodiscard]] Status runHeadCorpus(commands::AttentionCommand command, const std::filesystem::path& place,
                                   VerbContext& context);

} // namespace headscope::engine
