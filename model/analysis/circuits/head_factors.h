// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstdint>
#include <vector>

namespace headscope
{

using Directions = std::vector<std::vector<double>>; ///< [C][Dm] of length 1

/// The weights of a head, with all gains folded in. Views.
struct HeadMatrices
{
    ConstMatrixView query;  ///< [Dh, Dm]
    ConstMatrixView key;    ///< [Dh, Dm]
    ConstMatrixView value;  ///< [Dh, Dm]
    ConstMatrixView output; ///< [Dm, Dh]
};

/// What of a head norms of products with other heads are made of: |A X B| = |S_A X S_B| with the symmetric roots
/// S_A = (A^T A)^(1/2), S_B = (B B^T)^(1/2) of Dh x Dh.
struct HeadFactors
{
    std::vector<float> queryRoot;   ///< [Dh, Dh] S_Q
    std::vector<float> keyRoot;     ///< [Dh, Dh] S_K
    std::vector<float> valueRoot;   ///< [Dh, Dh] S_V
    std::vector<float> outputRoot;  ///< [Dh, Dh] S_O
    double readNorm = 0;            ///< of W_QK
    double moveNorm = 0;            ///< of W_OV
    std::vector<double> ovSingular; ///< [Dh] values of W_OV, descending
    std::vector<double> qkSingular; ///< [Dh] values of W_QK, descending
    Directions writes;              ///< of W_OV, that are written
    Directions reads;               ///< of W_OV, that are read
    Directions queryReads;          ///< of W_QK, that queries read; empty where they were not asked for
    Directions keyReads;            ///< likewise, that keys read
};

/// @param directions  C, the first of each kind
/// @param withReads   also those of W_QK
/// @threads reentrant
/// @cost    8 Dh^2 Dm operations, and some of Dh^3
[[nodiscard]] HeadFactors headFactors(const HeadMatrices& head, std::int64_t directions, bool withReads);

} // namespace headscope
