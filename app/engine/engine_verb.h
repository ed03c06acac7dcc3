// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/common_options.h"
#include "app/shell/verbs.h"
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
    std::string_view summary;
    RunVerb (*declare)(Fields&);
};

#define HEADSCOPE_DECLARE_VERB(stem, name, summary) [[nodiscard]] RunVerb declare##stem(Fields& table);
HEADSCOPE_VERBS(HEADSCOPE_NO_VERB, HEADSCOPE_DECLARE_VERB, HEADSCOPE_DECLARE_VERB)
#undef HEADSCOPE_DECLARE_VERB

} // namespace headscope::engine
