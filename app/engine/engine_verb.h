// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/common_options.h"
#include "app/shell/verbs.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/frame/frame.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

class ModelSource;
struct OpenedModel;

/// What a running verb may use.
struct VerbContext
{
    const CommonOptions& common;
    shell::Console& console; ///< with --json one object, else text for people; errors are returned
    JobContext& job;
    shell::ProgressLine& progress; ///< to be cleared before anything is said
    shell::StopSignals& signals;
    ModelSource& models;                                   ///< gives it the model that it runs
    std::function<void(const std::string& sentence)> note; ///< says a notice
    std::string command;                                   ///< as it was typed, for the cache
};

/// What a verb does once its options were read.
using RunVerb = std::function<Status(VerbContext&)>;

/// A verb, and how it declares its options.
struct EngineVerb
{
    std::string_view name;
    std::string_view summary;
    shell::Served served = shell::Served::No;
    RunVerb (*declare)(Fields&) = nullptr;
};

/// The verbs of the engine, in the order of the list.
[[nodiscard]] std::span<const EngineVerb> engineVerbs();

#define HEADSCOPE_DECLARE_VERB(stem, name, summary, ...) [[nodiscard]] RunVerb declare##stem(Fields& table);
HEADSCOPE_VERBS(HEADSCOPE_NO_VERB, HEADSCOPE_DECLARE_VERB, HEADSCOPE_DECLARE_VERB)
#undef HEADSCOPE_DECLARE_VERB

/// A verb whose options are those of a command.
/// @param run  gets the command as typed
template <class C>
[[nodiscard]] RunVerb verbOf(Fields& table, Status (*run)(const C&, VerbContext&))
{
    auto command = std::make_shared<C>();
    command->declare(table);
    return [command, run](VerbContext& context) { return run(*command, context); };
}

/// Says notices, a line each.
void sayNotices(VerbContext& context, const std::vector<std::string>& sentences);

/// Opens the model that a verb runs, and says what is to be said of its files.
/// @return  valid as long as the context's models
/// @errors those of ModelSource::open
[[nodiscard]] Result<const OpenedModel*> openModelOf(VerbContext& context, const std::filesystem::path& path);

/// What a verb found, at its end.
/// @param json  with --json
/// @param text  else, for people, with its line ends
void answer(VerbContext& context, const std::function<std::string()>& json, const std::function<std::string()>& text);

/// What a verb found and may have written, too.
/// @param output  as typed; empty: nothing was written
/// @param json    of what was found, with more members, indented
template <class Found>
void answerFound(VerbContext& context, const Found& found, std::string_view output,
                 std::string (*json)(const Found&, const Members&, int), std::string (*text)(const Found&))
{
    answer(
        context,
        [&] {
            return json(found, {{"output", textOrNull(output)}}, -1);
        },
        [&] { return text(found); });
}

} // namespace headscope::engine
