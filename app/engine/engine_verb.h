// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/common_options.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::shell
{
class Console;
class ProgressLine;
class StopSignals;
} // namespace headscope::shell

namespace headscope::engine
{

using shell::CommonOptions;

/// What a running verb may use.
struct VerbContext
{
    const CommonOptions& common;
    shell::Console& console; ///< with --json one object, else text for people; notices; errors are returned
    JobContext& job;
    shell::ProgressLine& progress; ///< to be cleared before anything is said
    shell::StopSignals& signals;
    std::string command; ///< as it was typed, for the cache
};

/// What a verb does once its options were read.
using RunVerb = std::function<Status(VerbContext&)>;

/// A verb, and how it declares its options.
struct EngineVerb
{
    std::string_view name;
    RunVerb (*declare)(Fields&);
};

/// Declares the options of `inspect MODEL|CACHE`.
[[nodiscard]] RunVerb declareInspect(Fields& table);
/// Declares the options of `tokenize MODEL`.
[[nodiscard]] RunVerb declareTokenize(Fields& table);
/// Declares the options of `extract MODEL DOCS... -o CACHE.h5`.
[[nodiscard]] RunVerb declareExtract(Fields& table);
/// Declares the options of `attention MODEL TEXT -o FILE.h5`.
[[nodiscard]] RunVerb declareAttention(Fields& table);
/// Declares the options of `importance MODEL DOCS`.
[[nodiscard]] RunVerb declareImportance(Fields& table);
/// Declares the options of `serve`.
[[nodiscard]] RunVerb declareServe(Fields& table);

/// Declares the options of `merge PARTS... -o CACHE.h5`.
[[nodiscard]] RunVerb declareMerge(Fields& table);
/// Declares the options of `status FOLDER|CACHE.h5`.
[[nodiscard]] RunVerb declareStatus(Fields& table);

} // namespace headscope::engine
