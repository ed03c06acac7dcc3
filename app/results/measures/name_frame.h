// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/words/named_vectors.h"
#include "model/base/strong_index.h"
#include "model/data/frame/frame.h"
#include "model/data/stage.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// The texts of one head.
struct NamedHead
{
    std::int64_t head = 0; ///< from 0
    NamedVectors named;
};

/// Which texts explain the vectors of heads.
struct NamingResult
{
    LayerIndex layer;
    Stage stage = Stage::HeadOutput;
    std::vector<NamedHead> heads;
    std::vector<std::string> texts; ///< [M] that were offered
    std::int64_t permutations = 0;
};

/// How much of each head its texts explain: a row for each head, with the texts as a tree.
extern const FrameInfo kNamedHeadsFrame;
/// The texts: a row for each head and text.
extern const FrameInfo kNamesFrame;

[[nodiscard]] Frame namedHeadsFrame(const NamingResult& result);
[[nodiscard]] Frame namesFrame(const NamingResult& result);
/// Both for people, with what the numbers mean.
[[nodiscard]] std::string namingText(const NamingResult& result);

} // namespace headscope
