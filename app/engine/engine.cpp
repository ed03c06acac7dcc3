// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/engine.h"

#include "app/engine/devices.h"
#include "app/engine/engine_verb.h"
#include "app/engine/model_source.h"
#include "app/shell/closest_word.h"
#include "app/shell/console.h"
#include "app/shell/error_json.h"
#include "app/shell/help_text.h"
#include "app/shell/parse_words.h"
#include "app/shell/progress_line.h"
#include "app/shell/quoted_command.h"
#include "app/shell/stop_signals.h"
#include "app/shell/verbs.h"
#include "model/base/fields/fields.h"
#include "model/base/thrown_error.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::engine
{
namespace
{

using shell::Console;

Error noVerb(const std::string& found)
{
    std::string names;
    for (const EngineVerb& verb : engineVerbs())
        names.append(names.empty() ? "" : ", ").append(verb.name);
    return {ErrorCode::WrongUse, fmt::format("expected a verb ({}), found {}", names, found), {}, {}};
}

const EngineVerb* findVerb(std::string_view name)
{
    const auto found = std::ranges::find(engineVerbs(), name, &EngineVerb::name);
    return found == engineVerbs().end() ? nullptr : &*found;
}

int fail(const Error& error, bool json, Console& console, int signal = 0)
{
    if (error.code == ErrorCode::Cancelled && signal != 0)
    {
        console.say("stopped; no output was written");
        return 128 + signal;
    }
    console.say(error.sentence());
    if (json)
        console.printJson(shell::errorJson(error));
    return exitCode(error.code);
}

void printHelp(Console& console)
{
    console.print("Runs embedding and language models and stores the vectors of their attention heads.\nUsage: "
                  "headscope-engine VERB [OPTIONS]\n\n");
    for (const EngineVerb& verb : engineVerbs())
        console.print(fmt::format("  {:<14}{}\n", verb.name, verb.summary));
    console.print("\n--devices lists the devices that models can run on, as JSON; --version prints the "
                  "version.\nheadscope-engine VERB --help lists the options of a verb.\n");
}

Error unknownVerb(const std::string& word)
{
    if (shell::findVerb(word) != nullptr)
        return {ErrorCode::WrongUse,
                fmt::format("{} needs no model; use headscope instead of headscope-engine", word),
                {},
                {}};
    return noVerb(fmt::format("\"{}\"{}", word, shell::didYouMeanVerb(word)));
}

Status runGuarded(const RunVerb& run, VerbContext& context)
{
    try
    {
        return run(context);
    }
    catch (...)
    {
        return thrownError("unexpected failure: ");
    }
}

int runVerb(const RunVerb& run, const CommonOptions& common, std::string command, Console& console)
{
    constexpr auto kGrace = std::chrono::milliseconds(1000);
    shell::StopSignals signals({kGrace, kGrace});
    shell::ProgressLine progress(common.progress, std::cerr, isatty(STDERR_FILENO) != 0);
    JobContext job(signals.token(), progress.sink(), &signals.heard());
    OwnModel models;
    const auto note = [&](const std::string& sentence) {
        progress.clear();
        console.say("note: " + sentence);
    };
    VerbContext context{common, console, job, progress, signals, models, note, std::move(command)};
    const auto status = runGuarded(run, context);
    progress.clear();
    if (status)
        return 0;
    // Once a stop was asked for, whatever went wrong went wrong because of it.
    const bool stopped = signals.received() != 0 && status.error().code != ErrorCode::Internal;
    return fail(stopped ? JobContext::cancelled() : status.error(), common.json, console, signals.received());
}

int runWords(const std::vector<std::string>& words, Console& console)
{
    const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
    if (words.empty())
        return fail(noVerb("none"), json, console);
    if (words[0] == "--help" || words[0] == "-h")
    {
        printHelp(console);
        return 0;
    }
    if (words[0] == "--version")
    {
        console.print("headscope-engine " HEADSCOPE_VERSION "\n");
        return 0;
    }
    if (words[0] == "--devices")
    {
        console.print(devicesJson() + "\n");
        return 0;
    }
    const EngineVerb* verb = findVerb(words[0]);
    if (verb == nullptr)
        return fail(unknownVerb(words[0]), json, console);
    Fields table;
    CommonOptions common;
    const RunVerb run = verb->declare(table);
    common.declare(table);
    const auto reading = shell::parseWords(table, std::span(words).subspan(1));
    if (!reading)
        return fail(shell::wrongWords(verb->name, reading.error()), json, console);
    if (*reading == shell::Reading::Help)
    {
        console.print(shell::helpText(table, fmt::format("headscope-engine {}", verb->name), verb->summary));
        return 0;
    }
    // Where the program lies on this machine helps nobody who repeats the command.
    return runVerb(run, common, shell::quotedCommand("headscope-engine", words), console);
}

} // namespace

int run(int argc, char** argv)
{
    Console console(std::cout, std::cerr);
    return console.exitCode(runWords(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), console));
}

} // namespace headscope::engine
