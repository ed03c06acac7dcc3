// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/engine/engine_server.h"

#include "app/cli/engine_process.h"
#include "app/shell/error_json.h"
#include "app/shell/progress_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

using Json = nlohmann::json;

constexpr int kProtocol = 1;
constexpr std::size_t kLastLines = 6; ///< of the log of an engine that died

} // namespace

/// What came for a request so far.
struct EngineServer::Answer
{
    std::optional<Result<Json>> result;
    std::optional<Progress> progress; ///< not reported yet
    std::vector<std::string> notices; ///< not handed on yet
    std::size_t numNotices = 0;       ///< those that were handed on included

    void addNotice(const Json& notice)
    {
        if (notice.is_string())
            notices.push_back(notice.get<std::string>());
        ++numNotices;
    }
};

/// An engine that was started, and the thread that reads what it writes.
struct EngineServer::Process
{
    explicit Process(cli::EngineProcess started) : served(std::move(started)) {}
    ~Process()
    {
        served.end(std::chrono::seconds(1));
        if (reader.joinable())
            reader.join();
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    cli::EngineProcess served;
    std::thread reader;
    bool greeted = false;     ///< its first line was one of this protocol
    bool foreign = false;     ///< it was not
    std::optional<int> ended; ///< as waitpid tells
};

EngineServer::EngineServer(std::filesystem::path program, std::function<void()> onMemory)
    : m_program(std::move(program)), m_onMemory(std::move(onMemory))
{}

EngineServer::~EngineServer()
{
    std::shared_ptr<Process> process;
    {
        const std::lock_guard lock(m_mutex);
        process = std::exchange(m_process, nullptr);
    }
}

Result<std::shared_ptr<EngineServer::Process>> EngineServer::running()
{
    std::shared_ptr<Process> former; // goes after the lock: its reader may wait for that
    const std::lock_guard lock(m_mutex);
    if (m_process != nullptr && !m_process->ended)
        return m_process;
    former = std::exchange(m_process, nullptr);
    HEADSCOPE_TRY(auto started, cli::EngineProcess::start(m_program, {"serve"}, cli::EngineLines::Output));
    auto process = std::make_shared<Process>(std::move(started));
    process->reader = std::thread([this, raw = process.get()] { readLines(*raw); });
    m_process = process;
    return process;
}

void EngineServer::readLines(Process& process)
{
    while (auto line = process.served.readLine())
    {
        try
        {
            takeLine(process, *line);
        }
        catch (const Json::exception&) // a field of another type: no engine of ours
        {
            const std::lock_guard lock(m_mutex);
            process.foreign = true;
        }
    }
    const int status = process.served.ending();
    {
        const std::lock_guard lock(m_mutex);
        process.ended = status;
        m_memory = {};
    }
    m_changed.notify_all();
    if (m_onMemory)
        m_onMemory();
}

void EngineServer::takeLine(Process& process, const std::string& line)
{
    const Json object = Json::parse(line, nullptr, false);
    const bool valid = object.is_object();
    const bool tellsMemory = valid && object.contains("memory") && object["memory"].is_object();
    {
        const std::lock_guard lock(m_mutex);
        if (tellsMemory) // with the answer: who has that sees it
            m_memory = {object["memory"].value("resident", std::uint64_t{0}),
                        object["memory"].value("weights", std::uint64_t{0})};
        if (!process.greeted)
        {
            process.greeted = valid && object.value("protocol", Json()) == kProtocol;
            process.foreign = !process.greeted;
        }
        if (valid)
            takeAnswer(object);
    }
    m_changed.notify_all();
    if (tellsMemory && m_onMemory)
        m_onMemory();
}

/// With the mutex held.
void EngineServer::takeAnswer(const Json& object)
{
    const auto error = shell::errorOf(object);
    const Json id = object.value("id", Json());
    if (error && id.is_null()) // a line that it could not read
        for (const auto& [each, answer] : m_pending)
            answer->result = *error;
    const auto pending = id.is_number_unsigned() ? m_pending.find(id.get<std::uint64_t>()) : m_pending.end();
    if (pending == m_pending.end())
        return;
    Answer& answer = *pending->second;
    if (object.contains("notice"))
        return answer.addNotice(object["notice"]);
    if (object.contains("progress") && object["progress"].is_object())
        answer.progress = shell::progressOf(object["progress"]);
    if (!error && !object.contains("result"))
        return;
    const Json all = object.value("notices", Json::array()); // those that came before are the first of them
    for (std::size_t i = answer.numNotices; i < all.size(); ++i)
        answer.addNotice(all[i]);
    if (error)
        answer.result = *error;
    else
        answer.result = object["result"];
}

Error EngineServer::deathOf(const Process& process) const
{
    if (process.foreign)
        return {ErrorCode::Unsupported,
                "expected an engine of this version of Headscope, found another version; install headscope and "
                "headscope-engine of the same version",
                m_program.string(),
                {}};
    const std::string last = process.served.lastWords(kLastLines);
    std::string sentence = "the engine " + cli::endingText(process.ended.value_or(0));
    if (!last.empty())
        sentence += "; its last message: " + last;
    return {ErrorCode::Internal, sentence + "; the engine restarts with the next request", {}, {}};
}

Result<Json> EngineServer::ask(std::string_view method, const Json& params, JobContext& job, const NoticeSink& onNotice)
{
    HEADSCOPE_CHECK(job.checkStop());
    HEADSCOPE_TRY(const auto process, running());
    const auto answer = std::make_shared<Answer>();
    std::unique_lock lock(m_mutex);
    const std::uint64_t id = ++m_lastId;
    m_pending[id] = answer;
    const auto send = [&](std::string_view what, const Json& with, std::uint64_t as) {
        const Json request = {{"id", as}, {"method", what}, {"params", with}};
        process->served.write(request.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    };
    lock.unlock(); // an engine that does not read holds up nobody else
    send(method, params, id);
    lock.lock();
    const auto handOn = [&](const std::optional<Progress>& progress, const std::vector<std::string>& notices) {
        for (const std::string& notice : notices)
            if (onNotice)
                onNotice(notice);
        if (progress)
            job.report(progress->stage, progress->done, progress->total, progress->unit);
    };
    std::optional<std::chrono::steady_clock::time_point> patience;
    while (!answer->result && !process->ended && !process->foreign)
    {
        m_changed.wait_for(lock, std::chrono::milliseconds(20));
        const auto progress = std::exchange(answer->progress, std::nullopt);
        const auto notices = std::exchange(answer->notices, {});
        const bool stop = job.stopRequested() && !patience;
        const std::uint64_t cancelId = stop ? ++m_lastId : 0;
        lock.unlock();
        handOn(progress, notices);
        if (stop)
        {
            patience = std::chrono::steady_clock::now() + std::chrono::seconds(1);
            send("cancel", {{"request", id}}, cancelId);
        }
        else if (patience && std::chrono::steady_clock::now() > *patience)
            process->served.kill();
        lock.lock();
    }
    m_pending.erase(id);
    if (m_process == process && (process->ended || process->foreign))
        m_process.reset(); // the next question starts another
    std::optional<Result<Json>> result = std::move(answer->result);
    const Error death = result ? Error() : deathOf(*process);
    lock.unlock();
    handOn(answer->progress, answer->notices); // nobody else has it any more
    if (!result || !*result)
        HEADSCOPE_CHECK(job.checkStop());
    if (!result)
        return death;
    return std::move(*result);
}

EngineMemory EngineServer::memory() const
{
    const std::lock_guard lock(m_mutex);
    return m_memory;
}

bool EngineServer::isAsked() const
{
    const std::lock_guard lock(m_mutex);
    return !m_pending.empty();
}

pid_t EngineServer::processId() const
{
    const std::lock_guard lock(m_mutex);
    return m_process != nullptr && !m_process->ended ? m_process->served.id() : 0;
}

} // namespace headscope::desktop
