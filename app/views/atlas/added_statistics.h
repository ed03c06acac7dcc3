// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/model_info.h"
#include "model/data/results/head_measures.h"

#include <filesystem>
#include <vector>

namespace headscope::desktop
{

/// The statistics of a file as measures of the heads of a model, each under a key of the file's own.
/// @param info  of the open cache
/// @errors those of readHeadStatistics; InvalidArgument (of another model: other digests, or other numbers of layers
///         and heads)
/// @threads to be called on a worker
[[nodiscard]] Result<std::vector<HeadMeasure>> readStatistics(const std::filesystem::path& path, const ModelInfo& info,
                                                              const Origin& origin, JobContext& job);

} // namespace headscope::desktop
