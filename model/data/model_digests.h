// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/model_info.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{

/// Digests of a model's files, whatever these are called: two models are the same if these are. Empty: not known.
[[nodiscard]] std::set<std::string> digestsOf(const ModelInfo& model);

/// Files of a model by their names, with their digests.
using NamedDigests = std::vector<std::pair<std::string, std::string>>;

/// The rule for numbers of a model that are shown with a cache: the same model made both. Numbers of one model are
/// never shown as those of another.
/// @param made   digests of the model that the numbers are of; empty: not known
/// @param place  what has them: a file, or the model as it was named
/// @return a notice where one of the two is not known, so that nothing could be compared; empty: the same model
/// @errors InvalidArgument (another model), with `place`
[[nodiscard]] Result<std::string> checkSameModel(const ModelInfo& cache, const NamedDigests& made,
                                                 const std::string& place);

} // namespace headscope
