// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/server.h"

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

#include <algorithm>
#include <array>
#include <functional>
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

std::string withoutLineEnd(std::string text)
{
    while (text.ends_with('\n'))
        text.pop_back();
    return text;
}

/// Runs a verb as the command line does; its answer is the result.
/// @param tell  takes its notices when they arise
JobOutcome runAsJob(const RunVerb& verb, const CommonOptions& common, const std::string& command,
                    shell::StopSignals& signals, ModelSource& models,
                    const std::function<void(const std::string&)>& tell, JobContext& job)
{
    std::ostringstream out;
    shell::Console console(out, out);
    shell::ProgressLine progress("off", out, false);
    JobOutcome outcome{std::string()};
    const auto note = [&](const std::string& sentence) {
        tell(sentence);
        outcome.notices.push_back(sentence);
    };
    VerbContext context{common, console, job, progress, signals, models, note, command};
    if (const Status status = verb(context))
        outcome.result = withoutLineEnd(out.str());
    else
        outcome.result = status.error();
    return outcome;
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
    : m_context(context), m_replies(context.console, [this] { return m_serving.model.weightBytes(); }),
      m_parser(JsonOptions{.rejectDuplicateKeys = true}),
      m_session(
          m_replies, idleAfter, [this] { letGo(); }, [this] { m_bell.ring(); })
{}

void Server::letGo()
{
    if (!m_serving.model.isLoaded())
        return;
    m_serving.model.release();
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

Server::Prepared Server::prepare(const Request& request)
{
    const auto method = std::ranges::find_if(servedMethods(), [&](const ServedMethod& each) {
        return each.name == request.method && each.answers(request);
    });
    if (method == servedMethods().end())
    {
        std::string names;
        for (const ServedMethod& each : servedMethods())
            if (!each.takes)
                names.append(each.name).append(", ");
        return wrongRequest(fmt::format("expected {}cancel or quit, found \"{}\"", names, request.method), "method");
    }
    Fields table;
    RunVerb verb = method->declare(table, m_serving);
    std::string command;
    HEADSCOPE_TRY(const auto common, readOptions(request, table, command));
    return JobWork([this, verb = std::move(verb), common, command, id = request.id](JobContext& job) {
        const auto tell = [&](const std::string& sentence) { m_replies.notice(id, sentence); };
        return runAsJob(verb, common, command, m_context.signals, m_serving.model, tell, job);
    });
}

Result<CommonOptions> Server::readOptions(const Request& request, Fields& table, std::string& command)
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
    words.insert(words.begin(), request.method);
    command = shell::quotedCommand("headscope-engine", words);
    common.json = true;
    return common;
}

} // namespace headscope::engine
