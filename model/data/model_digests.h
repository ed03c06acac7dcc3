// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/model_info.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope
{

/// Digests of a model's files, whatever these are called: two models are the same if these are. Empty: not known.
[[nodiscard]] std::set<std::string> digestsOf(const ModelInfo& model);

/// "a model with head 2 of layer 1 ablated (zero)", or "the unchanged model".
[[nodiscard]] std::string changedModelName(const ModelInfo& model);

/// What stands above a text of numbers: "The model was changed: WORDS.", and an empty line.
/// @param words  of ModelChanges
[[nodiscard]] std::string changedHeading(std::string_view words);

/// Files of a model by their names, with their digests.
using NamedDigests = std::vector<std::pair<std::string, std::string>>;

/// The rule for numbers of a model, run as its files are, that are shown with a cache: the same model made both, and
/// the cache is of the unchanged model (checkUnchangedModel). Numbers of one model are never shown as those of another.
/// @param made   digests of the model that the numbers are of; empty: not known
/// @param place  what has them: a file, or the model as it was named
/// @return a notice where one of the two is not known, so that nothing could be compared; empty: the same model
/// @errors InvalidArgument (another model, or a changed one), with `place`
[[nodiscard]] Result<std::string> checkSameModel(const ModelInfo& cache, const NamedDigests& made,
                                                 const std::string& place);

/// The rule for a model that is run as its files are, for a cache: the cache must be of that model, without ablated
/// heads and with its own KV groups. Else numbers of one model are shown as those of another.
/// @param place  the cache, or what has the numbers
/// @errors InvalidArgument (a cache of a changed model), with `place`
[[nodiscard]] Status checkUnchangedModel(const ModelInfo& cache, const std::string& place);

/// The rule for vectors that are compared with those of a cache, and for numbers that are shown with it: the same heads
/// were ablated in the same way, and the KV groups are the same. (Means over other texts are told by meansNotice.)
/// @param place  what has the other vectors or numbers
/// @errors InvalidArgument, with `place`: what was changed in both, and the options that change a model like the
/// cache's
[[nodiscard]] Status checkSameChanges(const ModelInfo& cache, const ModelInfo& other, const std::string& place);

/// Says so where the heads ablated in both were set to means over other texts; "" where they were not.
/// @param what  has the other vectors: "queries"
[[nodiscard]] std::string meansNotice(const ModelInfo& cache, const ModelInfo& other, std::string_view what);

} // namespace headscope
