// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"

#include <set>
#include <string>

namespace headscope
{

/// Digests of a model's files, whatever these are called: two models are the same if these are. Empty: not known.
[[nodiscard]] std::set<std::string> digestsOf(const ModelInfo& model);

} // namespace headscope
