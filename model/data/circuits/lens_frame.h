// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/lens_results.h"
#include "model/data/frame/frame.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// A token of a list, as tables show it.
struct LensToken
{
    TokenLogit token;
    std::int64_t documents = 0; ///< that list it
};

/// The lists of one head.
struct LensHead
{
    std::int64_t layer = 0;
    std::int64_t head = 0;  ///< from 0
    std::int64_t read = -1; ///< id of the token that the head reads, from weights alone; -1: none
    std::vector<LensToken> up;
    std::vector<LensToken> down;
    std::vector<LensToken> keys;    ///< from weights alone
    std::vector<LensToken> queries; ///< likewise
    double copying = 0;             ///< likewise
    std::int64_t copied = -1;       ///< likewise; -1: not counted
};

/// The heads' lists: a row for each head, from weights for each head and token.
extern const FrameInfo kLensFrame;
/// The same with a row for each token of a list.
extern const FrameInfo kLensTokensFrame;

/// @param texts      [V] what tokens spell
/// @param documents  whose lists are joined; 0: the lists are of weights alone
[[nodiscard]] Frame lensFrame(std::span<const LensHead> heads, std::span<const std::string> texts,
                              std::int64_t documents);
/// A table for each list that there is.
[[nodiscard]] std::string lensTables(const Frame& frame);
/// @param weights  the lists are of weights alone
[[nodiscard]] Frame lensTokensFrame(std::span<const LensHead> heads, std::span<const std::string> texts, bool weights);

} // namespace headscope
