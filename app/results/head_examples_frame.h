// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/attention/head_corpus.h"
#include "model/data/frame/frame.h"

#include <cstdint>
#include <functional>
#include <string>

namespace headscope
{

/// Tokens of a corpus at which a head is strong, and some of every decile: a row each.
extern const FrameInfo kHeadExamplesFrame;
/// @param context  the words around a token, by its place among all
[[nodiscard]] Frame headExamplesFrame(const HeadCorpus& corpus,
                                      const std::function<std::string(std::int64_t)>& context);

} // namespace headscope
