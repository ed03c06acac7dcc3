// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include "app/cli/engine_process.h"
#include "app/cli/progress_printer.h"
#include "app/cli/signal_watch.h"
#include "app/cli/verb.h"
#include "app/cli/window_options.h"
#include "model/base/file.h"
#include "model/io/hdf5_reader.h"
#include "model/io/retrieval_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

namespace headscope::cli
{
namespace
{

enum class Where
{
    Here,
    Engine, ///< handed to headscope-engine
    Later,  ///< the name is reserved
};

struct VerbEntry
{
    std::string_view name;
    Where where;
    std::string_view summary;
    std::unique_ptr<Verb> (*make)();
};

constexpr std::array kVerbs = {
    VerbEntry{"inspect", Where::Here, "what a model or a cache holds, and every problem of it", makeInspectVerb},
    VerbEntry{"tokenize", Where::Engine, "texts to token ids", nullptr},
    VerbEntry{"extract", Where::Engine, "head vectors of documents, into a cache", nullptr},
    VerbEntry{"attention", Where::Engine, "attention of one text", nullptr},
    VerbEntry{"merge", Where::Engine, "verify shards and merge them", nullptr},
    VerbEntry{"tsne", Where::Here, "a map of head vectors", makeTsneVerb},
    VerbEntry{"neighbors", Where::Here, "nearest neighbours, exact or approximate", makeNeighborsVerb},
    VerbEntry{"quality", Where::Here, "how far a map can be trusted", makeQualityVerb},
    VerbEntry{"probe", Where::Here, "can the head be told from its vector?", makeProbeVerb},
    VerbEntry{"heatmap", Where::Here, "heads by documents: similarity to the own topic", makeHeatmapVerb},
    VerbEntry{"similarity", Where::Here, "similarity of topics", makeSimilarityVerb},
    VerbEntry{"match", Where::Here, "how often the own topic is among the nearest", makeMatchVerb},
    VerbEntry{"heads", Where::Here, "statistics of heads, and how alike they are", makeHeadsVerb},
    VerbEntry{"layers", Where::Here, "where in the model heads and topics part", makeLayersVerb},
    VerbEntry{"retrieve", Where::Here, "documents found by the votes of heads", makeRetrieveVerb},
    VerbEntry{"prune", Where::Here, "what a head is worth", makePruneVerb},
    VerbEntry{"export", Where::Here, "chosen head vectors in other formats", makeExportVerb},
    VerbEntry{"figure", Where::Later, "a figure again, from its recipe", nullptr},
    VerbEntry{"report", Where::Later, "all tables and figures of a cache", nullptr},
    VerbEntry{"doctor", Where::Here, "what this machine offers, what is wrong and how to mend it", makeDoctorVerb},
};

const VerbEntry* findVerb(std::string_view name)
{
    const auto found = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const VerbEntry& v) { return v.name == name; });
    return found == kVerbs.end() ? nullptr : &*found;
}

bool asksForJson(const std::vector<std::string>& arguments)
{
    return std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
}

int fail(const Error& error, bool json, std::ostream& out, std::ostream& err)
{
    // Who stops a job knows that it stopped; only what was kept of it is news.
    if (error.code != ErrorCode::Cancelled || !error.file.empty())
        err << "headscope: " << error.sentence() << std::endl;
    if (json)
    {
        const Json object = {{"error",
                              {{"code", errorCodeName(error.code)},
                               {"message", error.message},
                               {"file", error.file},
                               {"place", error.place}}}};
        out << object.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    }
    return exitCode(error.code);
}

/// The command as a shell reads it back: words with unusual characters in single quotes.
std::string shellCommand(const std::vector<std::string>& arguments)
{
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    std::string command = "headscope";
    for (const std::string& word : arguments)
    {
        command += ' ';
        const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
        command += plain ? word : std::string("'");
        for (const char c : plain ? std::string() : word)
            command += c == '\'' ? std::string("'\\''") : std::string(1, c);
        command += plain ? "" : "'";
    }
    return command;
}

void printHelp(std::ostream& out)
{
    out << "Usage: headscope [OPTIONS] [FILE|FOLDER]   open the window: a cache, a model or texts\n"
           "       headscope VERB [OPTIONS]            one task; headscope VERB --help says how\n\n";
    for (const VerbEntry& verb : kVerbs)
    {
        if (verb.where != Where::Later)
            out << fmt::format("  {:<12}{}\n", verb.name, verb.summary);
    }
    out << "\nOptions of the window:\n" << windowOptionsHelp();
    out << "\nOptions of every verb: --threads N, --seed N, --json, --progress auto|json|off, --overwrite\n";
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
    return engineError(errno, engine, arguments.front());
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

void addCommonOptions(CLI::App& app, CommonOptions& common)
{
    app.add_option("--threads", common.threads, "worker threads (default: physical cores)")->check(CLI::Range(1, 4096));
    app.add_option("--seed", common.seed, "seed of everything random (default: 1)");
    app.add_flag("--json", common.json, "one JSON object on stdout, nothing else there");
    app.add_option("--progress", common.progress, "auto, json or off (on stderr)")
        ->check(CLI::IsMember({"auto", "json", "off"}));
    app.add_flag("--overwrite", common.overwrite, "replace an existing output");
}

/// CLI11's message as one sentence.
Error parseError(const std::string& verb, const CLI::ParseError& error)
{
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    return {ErrorCode::WrongUse, fmt::format("{} (headscope {} --help lists the options)", message, verb), {}, verb};
}

/// Refuses a command whose -o or --save-mask names a file that another of its words names too.
/// FILE.h5:/path counts as FILE.h5.
Status checkOutputIsNoInput(const std::vector<std::string>& arguments)
{
    for (const char* name : {"-o", "--output", "--save-mask"})
    {
        const auto option = std::find(arguments.begin(), arguments.end(), name);
        if (option == arguments.end() || option + 1 == arguments.end())
            continue;
        std::vector<std::filesystem::path> others;
        for (auto word = arguments.begin(); word != arguments.end(); ++word)
            if (word != option && word != option + 1)
                others.emplace_back(word->substr(0, word->find(":/")));
        if (Status status = checkIsNoInput(*(option + 1), others); !status)
            return std::move(status).error().atPlace(name);
    }
    return {};
}

int runHere(const VerbEntry& entry, const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err)
{
    CLI::App app(std::string(entry.summary), "headscope " + std::string(entry.name));
    CommonOptions common;
    const auto verb = entry.make();
    verb->addOptions(app);
    addCommonOptions(app, common);
    try
    {
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend() - 1); // as CLI11 wants them
        app.parse(reversed);
    }
    catch (const CLI::CallForHelp&)
    {
        out << app.help();
        return 0;
    }
    catch (const CLI::ParseError& error)
    {
        return fail(parseError(std::string(entry.name), error), asksForJson(arguments), out, err);
    }

    if (const Status status = checkOutputIsNoInput(arguments); !status)
        return fail(status.error(), common.json, out, err);

    const bool terminal = &err == &std::cerr && ::isatty(STDERR_FILENO) != 0;
    SignalWatch signals;
    JobContext job(signals.stopToken(), makeProgressSink(common.progress, err, terminal));
    Result<Answer> answer = Error{ErrorCode::Internal, "nothing was done", {}, {}};
    try
    {
        answer = verb->run(common, job);
    }
    catch (const std::bad_alloc&)
    {
        answer = Error{ErrorCode::OutOfMemory, "there is not enough memory for this", {}, std::string(entry.name)};
    }
    catch (const std::exception& error)
    {
        answer = Error{ErrorCode::Internal, error.what(), {}, std::string(entry.name)};
    }
    clearProgressLine(common.progress, err, terminal);
    if (!answer)
    {
        const int code = fail(answer.error(), common.json, out, err);
        if (answer.error().code == ErrorCode::Cancelled && !answer.error().file.empty())
            err << "headscope: to go on: " << shellCommand(arguments) << std::endl;
        return answer.error().code == ErrorCode::Cancelled && signals.signal() == SIGTERM ? 143 : code;
    }
    for (const std::string& notice : answer->notices)
        err << "headscope: " << notice << std::endl;
    if (common.json)
        out << answer->json->dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    else
        out << answer->text << std::flush;
    return 0;
}

} // namespace

bool isVerb(std::string_view name)
{
    return name == "--help" || name == "-h" || name == "--version" || findVerb(name) != nullptr;
}

bool needsGui(const std::vector<std::string>& arguments)
{
    // Pictures are drawn with fonts; whether one is asked for shows in a file name alone.
    if (arguments.empty() || findVerb(arguments.front()) == nullptr)
        return false;
    return std::any_of(arguments.begin() + 1, arguments.end(), [](const std::string& argument) {
        return argument.ends_with(".png") || argument.ends_with(".pdf") || argument.ends_with(".svg");
    });
}

int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err)
{
    const std::string name = arguments.empty() ? "--help" : arguments.front();
    if (name == "--help" || name == "-h")
    {
        printHelp(out);
        return 0;
    }
    if (name == "--version")
    {
        out << "headscope " HEADSCOPE_VERSION << std::endl;
        return 0;
    }
    const VerbEntry* verb = findVerb(name);
    const bool json = asksForJson(arguments);
    if (verb == nullptr)
        return fail({ErrorCode::WrongUse,
                     fmt::format("expected a verb, found \"{}\"; headscope --help lists them", name),
                     {},
                     {}},
                    json, out, err);
    if (verb->where == Where::Later)
        return fail({ErrorCode::WrongUse, fmt::format("\"{}\" comes with a later version", name), {}, {}}, json, out,
                    err);
    if (verb->where == Where::Engine || (name == "inspect" && inspectsModel(arguments)))
    {
        out.flush();
        return fail(handToEngine(arguments), json, out, err);
    }
    return runHere(*verb, arguments, out, err);
}

int run(int argc, char** argv)
{
    return run(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr);
}

} // namespace headscope::cli
