// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/provenance.h"
#include "model/data/model_info.h"
#include "model/data/results/head_measures.h"

#include <string>

namespace headscope
{

/// What made the table of all heads: stage, and of each measure what it is, of how many, and from what.
[[nodiscard]] Provenance atlasProvenance(const HeadMeasures& measures, const ModelInfo& model,
                                         const std::string& cache);

} // namespace headscope
