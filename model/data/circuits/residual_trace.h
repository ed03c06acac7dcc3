// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <vector>

namespace headscope
{

/// The residual stream of one text at the R tokens that its vector is taken from, with what every layer wrote into it.
struct ResidualTrace
{
    struct Layer
    {
        MatrixF heads;     ///< [R, H Dh] outputs of the heads (stage 1)
        MatrixF attention; ///< [R, Dm] the stream with what attention added, before a norm behind the sum
        MatrixF mlp;       ///< [R, Dm] the same with what the MLP added
    };

    MatrixF start;                ///< [R, Dm] before the first layer
    std::vector<Layer> layers;    ///< [L]
    std::vector<float> embedding; ///< [Dm] the vector of the text: the mean of its R tokens behind the last norm
};

} // namespace headscope
