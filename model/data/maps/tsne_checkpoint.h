// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/tsne_options.h"
#include "model/data/matrix.h"

namespace headscope
{

/// Everything that an interrupted t-SNE needs beside its input and options, in the input's order.
struct TsneCheckpoint
{
    MatrixF positions;  ///< [P, 2]
    MatrixF velocities; ///< [P, 2]
    MatrixF gains;      ///< [P, 2]
    int iteration = 0;
    TsnePhase phase; ///< of a run that stops by itself
};

} // namespace headscope
