// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::cli
{

/// Path of headscope-engine: beside this program.
[[nodiscard]] std::filesystem::path enginePath();

/// The sentence for an engine that could not be started.
/// @param number  errno
/// @param verb    the verb that needs the engine
[[nodiscard]] Error engineError(int number, const std::filesystem::path& engine, std::string_view verb);

/// Runs the engine with these arguments and `input` on its standard input, and waits. Its standard error becomes the
/// message of a failure; its standard output is discarded. When the job is stopped the engine is asked to end too.
/// @errors those of the engine by its exit code (WrongUse, BadFormat, Resource, Cancelled, Internal),
///         Resource (it could not be started)
[[nodiscard]] Status runEngine(const std::filesystem::path& engine, const std::vector<std::string>& arguments,
                               std::string_view input, JobContext& job);

/// The same for what the engine prints on its standard output.
/// @errors those of runEngine
[[nodiscard]] Result<std::string> askEngine(const std::filesystem::path& engine,
                                            const std::vector<std::string>& arguments, JobContext& job);

} // namespace headscope::cli
