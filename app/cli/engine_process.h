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

/// Where headscope-engine is looked for: beside this program.
[[nodiscard]] std::filesystem::path enginePath();

/// The sentence for an engine that could not be started.
/// @param number  errno
/// @param verb    what needed it
[[nodiscard]] Error engineError(int number, const std::filesystem::path& engine, std::string_view verb);

/// Runs the engine with these arguments and `input` on its standard input, and waits. What it says on
/// standard error becomes the message of its failure; its standard output is not kept. When the job is
/// stopped the engine is asked to end too.
/// @errors those of the engine by its exit code (WrongUse, BadFormat, Resource, Cancelled, Internal),
///         Resource (it could not be started)
[[nodiscard]] Status runEngine(const std::filesystem::path& engine, const std::vector<std::string>& arguments,
                               std::string_view input, JobContext& job);

} // namespace headscope::cli
