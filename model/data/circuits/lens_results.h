// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace headscope
{

/// A token of the vocabulary with its logit, or its score.
struct TokenLogit
{
    std::int64_t id = 0;
    double value = 0;
};

/// The tokens of highest logits, the highest first, and those of lowest, the lowest first; equal ones by the lower id.
struct TokenLists
{
    std::vector<TokenLogit> up;
    std::vector<TokenLogit> down;
};

/// What the weights of a head alone do with a token, as if its embedding stood in front of the layer.
struct TokenLens
{
    TokenLists written; ///< logits of what the head writes on reading it (OV)
    TokenLists keys;    ///< scores of the tokens that it would attend to from it, at distance 0 (QK)
    TokenLists queries; ///< scores of the tokens that would attend to it
};

/// What the weights of a head alone say.
struct WeightsLens
{
    std::int64_t head = 0;          ///< from 0
    std::vector<TokenLens> tokens;  ///< [n]
    double copying = 0;             ///< sum Re lambda / sum |lambda| of the table of logits by token read; 1: copies
    std::vector<double> scores;     ///< [n, n] of each token as query with each as key, at distance 0
    std::int64_t copyingTop10 = -1; ///< tokens that are among the ten highest logits of their own row; -1: not counted
};

} // namespace headscope
