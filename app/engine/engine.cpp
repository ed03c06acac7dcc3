// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/engine.h"

#include "app/engine/progress_line.h"
#include "app/engine/stop_signals.h"
#include "app/engine/verb.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <iostream>
#include <string_view>

namespace headscope::engine
{
namespace
{

constexpr std::array<std::string_view, 3> kLater = {"attention", "merge", "serve"};
constexpr std::array<std::string_view, 14> kOfHeadscope = {"tsne",   "neighbors", "quality",    "probe",    "heatmap",
                                                           "match",  "heads",     "similarity", "retrieve", "prune",
                                                           "export", "figure",    "report",     "doctor"};

/// Prints an error as one sentence, with --json also as an object, and gives its exit code.
int fail(const Error& error, bool json, int signal)
{
    clearProgressLine();
    if (error.code == ErrorCode::Cancelled && signal != 0)
    {
        fmt::print(stderr, "headscope: stopped; no output was written\n");
        return 128 + signal;
    }
    fmt::print(stderr, "headscope: {}\n", error.sentence());
    if (json)
    {
        const nlohmann::ordered_json object = {{"error",
                                                {{"code", std::string(errorCodeName(error.code))},
                                                 {"message", error.message},
                                                 {"file", error.file},
                                                 {"place", error.place}}}};
        std::cout << object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
    }
    return exitCode(error.code);
}

/// What a first word that is no verb of this program deserves to hear.
std::string unknownVerb(std::string_view word)
{
    if (std::find(kLater.begin(), kLater.end(), word) != kLater.end())
        return fmt::format("{} comes with a later version of Headscope", word);
    if (std::find(kOfHeadscope.begin(), kOfHeadscope.end(), word) != kOfHeadscope.end())
        return fmt::format("{} needs no model: it is a verb of headscope, not of headscope-engine", word);
    return fmt::format("expected a verb (inspect, tokenize, extract), found \"{}\"", word);
}

/// The last wall: nothing thrown below leaves the program.
Status runGuarded(const Verb& verb, VerbContext& context)
{
    try
    {
        return verb.run(context);
    }
    catch (const std::bad_alloc&)
    {
        return Error{ErrorCode::OutOfMemory, "there is not enough memory for this", {}, {}};
    }
    catch (const std::exception& exception)
    {
        return Error{ErrorCode::Internal, fmt::format("an unexpected failure: {}", exception.what()), {}, {}};
    }
}

int runVerb(const Verb& verb, const CommonOptions& common, std::string command)
{
    StopSignals signals;
    JobContext job(signals.token(), progressSink(common.progress));
    VerbContext context{common, std::cout, std::cerr, job, signals, std::move(command)};
    const auto status = runGuarded(verb, context);
    if (!status)
    {
        // Once a stop was asked for, whatever went wrong went wrong because of it.
        const bool stopped = signals.received() != 0 && status.error().code != ErrorCode::Internal;
        return fail(stopped ? JobContext::cancelled() : status.error(), common.json, signals.received());
    }
    clearProgressLine();
    std::cout.flush();
    if (!std::cout)
        return fail(
            {ErrorCode::Resource, "expected to write the result, found it closed or full", "standard output", {}},
            false, 0);
    return 0;
}

} // namespace

int run(int argc, char** argv)
{
    CLI::App program("Runs embedding models and takes the vectors of their attention heads.", "headscope-engine");
    program.set_version_flag("--version", std::string("headscope-engine ") + HEADSCOPE_VERSION);
    program.require_subcommand(1);
    program.footer("Every verb explains its options: headscope-engine VERB --help");
    CommonOptions common;
    const std::array verbs = {addInspectVerb(program, common), addTokenizeVerb(program, common),
                              addExtractVerb(program, common)};

    const bool json =
        std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
    const auto isArgument = [argv](const Verb& verb) { return verb.app->get_name() == argv[1]; };
    if (argc > 1 && argv[1][0] != '-' && std::none_of(verbs.begin(), verbs.end(), isArgument))
        return fail({ErrorCode::WrongUse, unknownVerb(argv[1]), {}, {}}, json, 0);
    try
    {
        program.parse(argc, argv);
    }
    catch (const CLI::ParseError& error)
    {
        if (error.get_exit_code() == 0) // help and version
            return program.exit(error);
        return fail({ErrorCode::WrongUse, error.what(), {}, {}}, json, 0);
    }
    for (const auto& verb : verbs)
        if (verb.app->parsed())
            return runVerb(verb, common, quotedCommand(argc, argv));
    return fail({ErrorCode::Internal, "no verb was found", {}, {}}, json, 0);
}

} // namespace headscope::engine
