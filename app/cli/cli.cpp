// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include "app/cli/engine_process.h"
#include "app/cli/verb.h"
#include "app/cli/window_options.h"
#include "app/commands/all_commands.h"
#include "app/commands/card/card_command.h"
#include "app/commands/circuits/circuits_command.h"
#include "app/commands/figures/report_command.h"
#include "app/results/figure_recipe.h"
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
#include "model/base/output/output_file.h"
#include "model/base/thrown_error.h"
#include "model/data/model_digests.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/results/retrieval_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <exception>
#include <filesystem>
#include <iostream>
#include <span>
#include <utility>
#include <variant>

namespace headscope::cli
{
namespace
{

using shell::Console;

/// Texts that are made of the tables of options.
constexpr std::string_view kCompletion = "completion";
constexpr std::string_view kManual = "man";

bool asksForJson(const std::vector<std::string>& arguments)
{
    return std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
}

int fail(const Error& error, bool json, Console& console)
{
    // Who stops a job knows that it stopped; only what was kept of it is news.
    if (error.code != ErrorCode::Cancelled || !error.file.empty())
        console.say(error.sentence());
    if (json)
        console.printJson(shell::errorJson(error));
    return exitCode(error.code);
}

void printHelp(Console& console)
{
    std::string text =
        "Usage: headscope [OPTIONS] [FILE|FOLDER]   open the window with a cache, a figure, a model or texts\n"
        "       headscope VERB [OPTIONS]            run one task; headscope VERB --help lists its options\n"
        "       headscope man VERB                  manual page of a verb; to read it: headscope man VERB | man -l -\n"
        "       headscope completion bash           print the command completion for bash\n\n";
    for (const shell::VerbName& verb : shell::allVerbs())
        text += fmt::format("  {:<14}{}\n", verb.name, verb.summary);
    text += "\nOptions of the window:\n" + windowOptionsHelp() + "\nOptions of every verb:";
    CommonOptions common;
    Fields table;
    common.declare(table);
    std::string_view before = " ";
    for (const Field& row : table.options())
    {
        text.append(before).append(row.shownOption());
        before = ", ";
    }
    console.print(text + '\n');
}

/// Replaces this process by the engine with the same arguments; returns only if that fails.
Error handToEngine(const std::vector<std::string>& arguments)
{
    const auto engine = enginePath();
    std::vector<std::string> all = {engine.string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& each : all)
        pointers.push_back(each.data());
    pointers.push_back(nullptr);
    ::execv(engine.c_str(), pointers.data());
    return engineError(errno, engine);
}

/// Whether `inspect` was given something other than a cache.
bool inspectsModel(const std::vector<std::string>& arguments)
{
    for (std::size_t i = 1; i < arguments.size(); ++i)
    {
        if (arguments[i] == "--help" || arguments[i] == "-h")
            return false;
        std::error_code ignored;
        const std::filesystem::path path = arguments[i];
        if (arguments[i].starts_with("-"))
            continue;
        if (std::filesystem::is_directory(path, ignored) || path.extension() == ".gguf" ||
            path.extension() == ".safetensors" || (path.extension() == ".json" && !isRetrievalJson(path)))
            return true;
    }
    return false;
}

/// The files that the options of a verb name to be written, by option.
std::vector<std::pair<std::string, std::filesystem::path>> filesWritten(const Fields& table)
{
    std::vector<std::pair<std::string, std::filesystem::path>> files;
    constexpr std::array<std::string_view, 4> kOutputs = {"-o", "--figure", "--save-mask", "--state"};
    for (const Field& row : table.options())
        if (const auto* value = std::get_if<std::string*>(&row.target);
            value != nullptr && !(*value)->empty() && std::ranges::find(kOutputs, row.names.front()) != kOutputs.end())
            files.emplace_back(row.names.front(), **value);
    return files;
}

/// Refuses a command that is to write a file that another of its options reads or writes.
Status checkOutputIsNoInput(const Fields& table)
{
    const auto outputs = filesWritten(table);
    for (const auto& [option, file] : outputs)
    {
        std::vector<std::filesystem::path> others = filesRead(table);
        for (const auto& [otherOption, other] : outputs)
            if (otherOption != option)
                others.push_back(other);
        if (Status status = checkIsNoInput(file, others); !status)
            return std::move(status).error().atPlace(option);
    }
    return {};
}

/// What was changed in the model that the numbers are of, unless the verb's own text says it; "": nothing was.
std::string changedLine(const Answer& answer)
{
    const auto found = answer.json->find("changed");
    if (found == answer.json->end() || !found->is_string())
        return {};
    const auto words = found->get<std::string>();
    return answer.text.find(words) != std::string::npos ? std::string() : changedHeading(words);
}

/// Which files were written, unless the verb's own text names them.
std::string writtenText(const Fields& table, const std::string& text)
{
    std::string written;
    for (const auto& [option, file] : filesWritten(table))
        if ((option == "-o" || option == "--figure") && text.find(file.string()) == std::string::npos)
            written += fmt::format("\nwritten to {}\n", file.string());
    return written;
}

/// What a verb gives, or why it gives nothing, whatever was thrown.
Result<Answer> runGuarded(Verb& verb, const CommonOptions& common, const std::string& name, JobContext& job)
{
    try
    {
        return verb.run(common, job);
    }
    catch (...)
    {
        return thrownError().atPlace(name);
    }
}

/// A hung library ends with the program; work that heard of the stop may keep its state.
constexpr shell::StopSignals::Grace kGrace = {std::chrono::milliseconds(1500), std::chrono::seconds(10)};

int runHere(const shell::VerbName& entry, const std::vector<std::string>& arguments, Console& console,
            std::ostream& err)
{
    Fields table;
    CommonOptions common;
    const auto verb = makeVerb(entry.name);
    verb->declare(table);
    common.declare(table);
    const auto reading = shell::parseWords(table, std::span(arguments).subspan(1));
    if (!reading)
        return fail(shell::wrongWords(entry.name, reading.error()), asksForJson(arguments), console);
    if (*reading == shell::Reading::Help)
    {
        console.print(shell::helpText(table, fmt::format("headscope {}", entry.name), entry.summary));
        return 0;
    }

    if (const Status status = checkOutputIsNoInput(table); !status)
        return fail(status.error(), common.json, console);

    const bool terminal = &err == &std::cerr && ::isatty(STDERR_FILENO) != 0;
    shell::StopSignals signals(kGrace);
    shell::ProgressLine progress(common.progress, err, terminal);
    JobContext job(signals.token(), progress.sink(), &signals.heard());
    const Result<Answer> answer = runGuarded(*verb, common, std::string(entry.name), job);
    progress.clear();
    if (!answer)
    {
        const int code = fail(answer.error(), common.json, console);
        const bool stopped = answer.error().code == ErrorCode::Cancelled;
        if (stopped && !answer.error().file.empty())
            console.say("to continue: " + shell::quotedCommand("headscope", arguments));
        return stopped && signals.received() != 0 ? 128 + signals.received() : code;
    }
    for (const std::string& notice : answer->notices)
        console.say(notice);
    if (common.json)
        console.printJson(answer->json->dump(-1, ' ', false, Json::error_handler_t::replace));
    else
        console.print(changedLine(*answer) + answer->text + writtenText(table, answer->text));
    return 0;
}

/// `completion bash` and `man VERB`: texts that are made of the tables of options, for who packages the program.
int printMade(const std::vector<std::string>& arguments, Console& console, bool atTerminal)
{
    const std::string of = arguments.size() == 2 ? arguments[1] : std::string();
    const bool completion = arguments.front() == kCompletion;
    const std::string text = !completion    ? commands::manualPage(of, "headscope " HEADSCOPE_VERSION)
                             : of == "bash" ? commands::completionScript()
                                            : std::string();
    if (text.empty())
        return fail(
            {ErrorCode::WrongUse,
             fmt::format("expected {}, found \"{}\"", completion ? "completion bash" : "man VERB (such as man probe)",
                         fmt::join(arguments, " ")),
             {},
             {}},
            false, console);
    console.print(text);
    if (!completion && atTerminal)
        console.say(fmt::format("to read this page: headscope man {} | man -l -", of));
    return 0;
}

int runVerb(const std::vector<std::string>& arguments, Console& console, std::ostream& err)
{
    const std::string name = arguments.empty() ? "--help" : arguments.front();
    if (name == "--help" || name == "-h")
    {
        printHelp(console);
        return 0;
    }
    if (name == "--version")
    {
        console.print("headscope " HEADSCOPE_VERSION "\n");
        return 0;
    }
    if (name == kCompletion || name == kManual)
        return printMade(arguments, console, &err == &std::cerr && ::isatty(STDOUT_FILENO) != 0);
    const shell::VerbName* verb = shell::findVerb(name);
    const bool json = asksForJson(arguments);
    if (verb == nullptr)
        return fail({ErrorCode::WrongUse,
                     fmt::format("expected a verb, found \"{}\"{}; headscope --help lists the verbs", name,
                                 shell::didYouMeanVerb(name)),
                     {},
                     {}},
                    json, console);
    if (verb->home == shell::VerbHome::Engine || (name == "inspect" && inspectsModel(arguments)))
        return fail(handToEngine(arguments), json, console);
    return runHere(*verb, arguments, console, err);
}

} // namespace

bool isVerb(std::string_view name)
{
    return name == "--help" || name == "-h" || name == "--version" || name == kCompletion || name == kManual ||
           shell::findVerb(name) != nullptr;
}

bool needsGui(const std::vector<std::string>& arguments)
{
    // Pictures are drawn with fonts; whether one is asked for shows in a file name alone.
    const shell::VerbName* verb = arguments.empty() ? nullptr : shell::findVerb(arguments.front());
    if (verb == nullptr || verb->home == shell::VerbHome::Engine)
        return false;
    if (arguments.front() == commands::ReportCommand::kVerb || arguments.front() == commands::CircuitsCommand::kVerb)
        return true; // also the words of a circuit are laid out
    if (arguments.front() == commands::CardCommand::kVerb && std::ranges::find(arguments, "--all") != arguments.end())
        return true; // into a folder
    return std::any_of(arguments.begin() + 1, arguments.end(), [](const std::string& argument) {
        return argument.ends_with(".png") || argument.ends_with(".pdf") || argument.ends_with(".svg");
    });
}

int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err)
{
    Console console(out, err);
    return console.exitCode(runVerb(arguments, console, err));
}

int run(int argc, char** argv)
{
    return run(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr);
}

} // namespace headscope::cli
