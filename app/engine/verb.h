// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/options.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <functional>
#include <iosfwd>
#include <string>

namespace CLI
{
class App;
}

namespace headscope::engine
{

class StopSignals;

/// What a running verb may use.
struct VerbContext
{
    const CommonOptions& common;
    std::ostream& out; ///< stdout: with --json one object, else text for people
    std::ostream& err; ///< stderr: notices; errors are returned
    JobContext& job;
    StopSignals& signals;
    std::string command; ///< as it was typed, for the cache
};

/// A verb: its place in the command line, and what it does once the line was understood.
struct Verb
{
    CLI::App* app = nullptr;
    std::function<Status(VerbContext&)> run;
};

/// Adds `inspect MODEL|CACHE`.
[[nodiscard]] Verb addInspectVerb(CLI::App& program, CommonOptions& common);
/// Adds `tokenize MODEL`.
[[nodiscard]] Verb addTokenizeVerb(CLI::App& program, CommonOptions& common);
/// Adds `extract MODEL DOCS... -o CACHE.h5`.
[[nodiscard]] Verb addExtractVerb(CLI::App& program, CommonOptions& common);

} // namespace headscope::engine
