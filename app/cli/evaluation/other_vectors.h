// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/model_info.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope::cli
{

/// The full vectors of another cache of the same documents, with another pooling for example.
struct OtherVectors
{
    ModelInfo model;  ///< that made them, with its changes
    std::string unit; ///< "full of NAME"
    std::shared_ptr<const HeadVectors> documents;
    std::string source; ///< what they are (FullVectors::source)
};

/// @param ids  of the documents that are evaluated, whose vectors come in this order
/// @errors those of CacheReader; InvalidArgument (a document is not there)
[[nodiscard]] Result<OtherVectors> readOtherVectors(const std::filesystem::path& cache, LayerIndex layer, Stage stage,
                                                    const std::vector<std::string>& ids, JobContext& job);

} // namespace headscope::cli
