// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_vectors.h"
#include "model/data/map_trust.h"
#include "model/data/matrix.h"
#include "model/data/tsne_options.h"

#include <memory>
#include <optional>
#include <string>

namespace headscope
{

/// A 2-D t-SNE of head vectors, finished or on its way. Immutable once published.
struct HeadMap
{
    std::string name = "map";
    std::shared_ptr<const PointIds> points; ///< P (document, head) pairs
    MatrixF xy;                             ///< [P, 2]
    Stage stage = Stage::HeadOutput;
    LayerIndex layer;
    TsneOptions options;
    int iteration = 0;             ///< iterations done
    double kl = 0;                 ///< Kullback-Leibler divergence at the last check; NaN before the first
    std::string hash;              ///< XXH3 of the coordinates' bytes, when finished
    std::string inputHash;         ///< XXH3 of the vectors' bytes
    std::int64_t leftOut = 0;      ///< rows left out because they hold NaN or infinity
    std::optional<MapTrust> trust; ///< when it was measured
};

} // namespace headscope
