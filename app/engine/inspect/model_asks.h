// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/opened_model.h"
#include "model/data/frame/facts.h"

namespace headscope::engine
{

/// All that a model's files ask for, and what is done with it where no option says otherwise, for people: attention,
/// positions, tokens around a text, pooling, modules, prompts, and what is not done. `inspect` prints it, the window
/// shows it, and a cache keeps it (model/io/FORMAT.md, section 2): this is its only wording. It does not depend on the
/// machine.
/// @return  names of a word or two, which may be repeated, each with one line; control characters are escapes
[[nodiscard]] FactLines modelAsks(const OpenedModel& model);

} // namespace headscope::engine
