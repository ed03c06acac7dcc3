// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/merge_table.h"
#include "model/tokenize/vocabulary.h"

#include <span>
#include <vector>

namespace headscope::tokenize
{

/// The merges that a vocabulary with scores stands for, and the characters that occur in its
/// tokens without being one (see Bpe).
struct SpmMerges
{
    MergeTable merges;
    std::vector<char32_t> characters;
};

/// Writes a SentencePiece vocabulary as merges: two neighbours join when their texts together are a
/// token, the one of the highest score first, of equals the leftmost.
///
/// @param vocabulary  [V] texts; those that cannot be found (control, unknown, bytes) do not join
/// @param scores      [V], by id
/// @cost  one hash for each place where a token can be cut
/// @source SentencePiece's BPE model, as its C++ sources apply it
[[nodiscard]] SpmMerges mergesFromScores(const Vocabulary& vocabulary, std::span<const float> scores);

} // namespace headscope::tokenize
