// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/report_command.h"
#include "app/shell/common_options.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <filesystem>

namespace headscope::cli
{

/// What can be said of a report that begins with texts before anything is computed: that they are a file, and that
/// one of their label columns is meant.
/// @errors WrongUse (no file of texts), InvalidArgument (several label columns and no choice, or a choice of none of
///         them), those of DocumentReader::open
/// @cost   one read of the texts
[[nodiscard]] Status checkTexts(const commands::ReportCommand& command, JobContext& job);

/// The cache of a report that begins with texts: FOLDER/cache.h5, made by the engine with all stages, unless an earlier
/// run made it from the same model, layers and texts: by the contents of their files.
/// @errors WrongUse (somebody else's cache.h5), Resource (the model or the texts change meanwhile), those of
///         InputDigest::ofFile and runEngine
/// @cost   one read of the model's files, about 1 GB/s
[[nodiscard]] Status extractForReport(const commands::ReportCommand& command, const std::filesystem::path& cache,
                                      const shell::CommonOptions& common, JobContext& job);

} // namespace headscope::cli
