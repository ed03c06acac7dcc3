// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::cli
{

/// Runs the engine with these arguments and `input` on its standard input, and waits. The last line of its standard
/// error becomes the message of a failure. When the job is stopped the engine is asked to end too.
/// @return what it printed on its standard output
/// @errors those of the engine by its exit code (WrongUse, BadFormat, Resource, Cancelled, Internal),
///         Resource (it could not be started)
[[nodiscard]] Result<std::string> runEngine(const std::filesystem::path& engine,
                                            const std::vector<std::string>& arguments, std::string_view input,
                                            JobContext& job);

} // namespace headscope::cli
