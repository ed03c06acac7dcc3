// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/server.h"

#include "app/commands/attention/attention_command.h"
#include "app/commands/tokenize_command.h"
#include "app/engine/encode_options.h"
#include "app/engine/inspect/model_card_text.h"
#include "app/engine/options.h"
#include "app/engine/serve/served_attention.h"
#include "app/engine/serve/served_circuits.h"
#include "app/engine/serve/served_importance.h"
#include "app/shell/console.h"
#include "app/shell/parse_words.h"
#include "app/shell/progress_line.h"
#include "app/shell/quoted_command.h"
#include "model/base/fields/fields.h"
#include "model/base/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <memory>
#include <sstream>
#include <stop_token>
#include <utility>

namespace headscope::engine
{
namespace
{

Error wrongRequest(std::string message, std::string place)
{
    return {ErrorCode::WrongUse, std::move(message), {}, std::move(place)};
}

/// The lines of notices that a verb has said, without what stands before each.
std::vector<std::string> noticesIn(const std::string& said)
{
    std::vector<std::string> notices;
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);)
    {
        constexpr std::string_view kName = "headscope: ";
        constexpr std::string_view kNote = "note: ";
        if (!line.starts_with(kName) && !notices.empty())
        {
            notices.back() += "\n" + line; // of a list
            continue;
        }
        if (line.starts_with(kName))
            line.erase(0, kName.size());
        if (line.starts_with(kNote))
            line.erase(0, kNote.size());
        notices.push_back(std::move(line));
    }
    return notices;
}

std::string withoutLineEnd(std::string text)
{
    while (text.ends_with('\n'))
        text.pop_back();
    return text;
}

/// Runs a verb as the command line does; its answer is the result.
JobOutcome runAsJob(const RunVerb& verb, const CommonOptions& common, const std::string& command,
                    shell::StopSignals& signals, JobContext& job)
{
    std::ostringstream out;
    std::ostringstream err;
    shell::Console console(out, err);
    shell::ProgressLine progress("off", err, false);
    VerbContext context{common, console, job, progress, signals, command};
    const Status status = verb(context);
    if (!status)
        return {status.error(), noticesIn(err.str())};
    return {withoutLineEnd(out.str()), noticesIn(err.str())};
}

Result<std::string> tokenized(const commands::TokenizeCommand& command, ResidentModel& model)
{
    HEADSCOPE_TRY(auto options, encodeOptions(command.encode));
    if (!command.maxTokens.empty())
    {
        HEADSCOPE_TRY(const auto most, parseCount(command.maxTokens, "--max-tokens"));
        options.maxTokens = static_cast<std::size_t>(most);
    }
    std::optional<Tokenizer> own;
    const OpenedModel* opened = model.find(command.model);
    if (opened == nullptr)
    {
        HEADSCOPE_TRY(own, Tokenizer::open(command.model));
    }
    const Tokenizer& tokenizer = opened != nullptr ? opened->tokenizer : *own;
    HEADSCOPE_CHECK(toStatus(tokenizer.suffix(options.eos)));
    HEADSCOPE_TRY(const auto encoding, tokenizer.encode(command.text, options));
    return fmt::format("{{\"ids\":[{}],\"truncated\":{}}}", fmt::join(encoding.ids, ","), encoding.truncated);
}

} // namespace

Server::Bell::Bell() : m_descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Server::Bell::~Bell()
{
    ::close(m_descriptor);
}

void Server::Bell::ring() const
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(m_descriptor, &one, sizeof one);
}

void Server::Bell::quiet() const
{
    std::uint64_t rings = 0;
    [[maybe_unused]] const auto got = ::read(m_descriptor, &rings, sizeof rings);
}

Server::Server(VerbContext& context, std::chrono::seconds idleAfter)
    : m_context(context), m_replies(context.console, [this] { return m_model.weightBytes(); }),
      m_parser(JsonOptions{.rejectDuplicateKeys = true}),
      m_session(
          m_replies, idleAfter, [this] { letGo(); }, [this] { m_bell.ring(); })
{}

void Server::letGo()
{
    if (!m_model.isLoaded())
        return;
    m_model.release();
    m_replies.event("model_released");
}

Status Server::run()
{
    LineInput input(STDIN_FILENO, kMaxLineBytes);
    const std::stop_callback onSignal(m_context.job.stopToken(), [this] { m_bell.ring(); });
    m_replies.hello(HEADSCOPE_VERSION);
    bool ended = false;
    while (!m_quits && !(ended && m_session.rests()))
    {
        std::array<pollfd, 3> events = {pollfd{ended ? -1 : STDIN_FILENO, POLLIN, 0},
                                        pollfd{m_bell.descriptor(), POLLIN, 0}, pollfd{STDOUT_FILENO, 0, 0}};
        ::poll(events.data(), events.size(), -1);
        HEADSCOPE_CHECK(m_context.job.checkStop());
        if (events[2].revents != 0 || !m_replies.isOpen())
            return {}; // nobody listens any more
        m_bell.quiet();
        if (events[0].revents == 0)
            continue;
        HEADSCOPE_TRY(const bool more, input.read());
        ended = !more;
        for (const LineInput::Line& line : input.takeLines())
            if (!m_quits)
                takeLine(line);
    }
    return {};
}

void Server::takeLine(const LineInput::Line& line)
{
    if (line.isTooLong)
        return m_replies.error("null",
                               {ErrorCode::BadFormat,
                                fmt::format("expected a line of at most {} bytes, found a longer one", kMaxLineBytes),
                                {},
                                {}});
    if (line.text.find_first_not_of(" \t\r") == std::string::npos)
        return;
    const RequestLine read = readRequest(line.text, m_parser);
    if (!read.request)
        return m_replies.error(read.id, read.request.error());
    take(read.request.value());
}

void Server::take(const Request& request)
{
    if (request.method == "cancel")
        return cancel(request);
    if (request.method == "quit")
    {
        m_quits = true;
        m_replies.result(request.id, "{}"); // before the answers of what it cancels
        return m_session.cancelAll();
    }
    auto work = prepare(request);
    if (!work)
        return m_replies.error(request.id, work.error());
    // The id of another request is no answer to this one.
    if (const auto taken = m_session.submit(request.id, std::move(*work)); !taken)
        m_replies.error(taken.error().place == "id" ? "null" : request.id, taken.error());
}

void Server::cancel(const Request& request)
{
    const Parameter* of = request.find("request");
    if (of == nullptr || request.params.size() != 1)
        return m_replies.error(request.id, wrongRequest("expected only a field \"request\"", "params"));
    if (of->kind != JsonKind::Integer && of->kind != JsonKind::String)
        return m_replies.error(request.id, wrongRequest(fmt::format("expected an id, found {}", jsonKindName(of->kind)),
                                                        "params.request"));
    const std::string& text = of->values.front();
    const auto was = m_session.cancel(of->kind == JsonKind::Integer ? text : idText(text));
    if (!was)
        return m_replies.error(request.id, was.error());
    m_replies.result(request.id, fmt::format("{{\"was\":\"{}\"}}", was.value()));
}

template <class C, class Answer>
Server::Prepared Server::prepareAs(const Request& request, void (C::*declare)(Fields&), Answer answer)
{
    auto command = std::make_shared<C>();
    Fields table;
    ((*command).*declare)(table);
    HEADSCOPE_TRY(const auto common, readOptions(request, table));
    return JobWork([command, common, answer](JobContext& job) -> JobOutcome { return answer(*command, common, job); });
}

Server::Prepared Server::prepare(const Request& request)
{
    struct Method
    {
        std::string_view name;
        std::function<Prepared()> prepare;
    };
    using namespace commands;
    const auto opened = [this](const EmbedCommand& command, const CommonOptions& common, JobContext& job) {
        const auto loaded = load(command, common, m_model, job);
        return loaded ? JobOutcome{withoutLineEnd(modelCardJson(**loaded))} : JobOutcome{loaded.error()};
    };
    const auto told = [this](const TokenizeCommand& command, const CommonOptions&, JobContext&) {
        return JobOutcome{tokenized(command, m_model)};
    };
    const auto embedded = [this](const EmbedCommand& command, const CommonOptions& common, JobContext& job) {
        return JobOutcome{embed(command, common, m_model, m_files, job)};
    };
    const auto attended = [this](const AttentionCommand& command, const CommonOptions& common, JobContext& job) {
        return JobOutcome{servedAttention(command, common, m_model, m_files, job)};
    };
    const auto measured = [this](const ImportanceCommand& command, const CommonOptions& common, JobContext& job) {
        return servedImportance(command, common, m_model, job);
    };
    const auto split = [this](const ContributionsCommand& command, const CommonOptions& common, JobContext& job) {
        return servedContributions(command, common, m_model, job);
    };
    const auto decoded = [this](const LensCommand& command, const CommonOptions& common, JobContext& job) {
        return servedLens(command, common, m_model, job);
    };
    const std::array methods = {
        Method{"open", [&] { return prepareAs(request, &EmbedCommand::declareModel, opened); }},
        Method{"inspect", [&] { return prepareVerb(request, declareInspect); }},
        Method{"tokenize", [&] { return prepareAs(request, &TokenizeCommand::declareServed, told); }},
        Method{"embed", [&] { return prepareAs(request, &EmbedCommand::declare, embedded); }},
        Method{"attention", [&] { return prepareAs(request, &AttentionCommand::declareServed, attended); }},
        Method{"importance", [&] { return prepareAs(request, &ImportanceCommand::declare, measured); }},
        Method{"contributions", [&] { return prepareAs(request, &ContributionsCommand::declare, split); }},
        Method{"composition", [&] { return prepareVerb(request, declareComposition); }},
        Method{"lens", [&] { return prepareAs(request, &LensCommand::declare, decoded); }},
        Method{"extract", [&] { return prepareVerb(request, declareExtract); }}};
    std::string names;
    for (const Method& method : methods)
    {
        if (method.name == request.method)
            return method.prepare();
        names.append(method.name).append(", ");
    }
    return wrongRequest(fmt::format("expected {}cancel or quit, found \"{}\"", names, request.method), "method");
}

Result<CommonOptions> Server::readOptions(const Request& request, Fields& table, std::string* command)
{
    CommonOptions common = m_context.common;
    common.overwrite = false;
    common.json = false;
    common.declare(table);
    for (const char* name : {"json", "progress"})
        if (request.find(name) != nullptr)
            return wrongRequest(fmt::format("expected a parameter of {}, found \"{}\"", request.method, name),
                                "params");
    HEADSCOPE_TRY(auto words, wordsOf(request, table));
    HEADSCOPE_TRY([[maybe_unused]] const auto reading, shell::parseWords(table, words));
    if (command != nullptr)
    {
        words.insert(words.begin(), request.method);
        *command = shell::quotedCommand("headscope-engine", words);
    }
    common.json = true;
    return common;
}

Server::Prepared Server::prepareVerb(const Request& request, RunVerb (*declare)(Fields&))
{
    Fields table;
    RunVerb verb = declare(table);
    std::string command;
    HEADSCOPE_TRY(const auto common, readOptions(request, table, &command));
    const bool loads = request.method == "extract";
    return JobWork([this, verb = std::move(verb), common, command, loads](JobContext& job) {
        if (loads)
            m_model.release(); // it loads the layers of its own: two models at once would not fit into the memory
        return runAsJob(verb, common, command, m_context.signals, job);
    });
}

} // namespace headscope::engine
