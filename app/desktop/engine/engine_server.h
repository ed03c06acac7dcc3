// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace headscope::desktop
{

/// Memory of an engine, as it told last.
struct EngineMemory
{
    std::uint64_t resident = 0; ///< bytes; 0: it does not run
    std::uint64_t weights = 0;  ///< of these, of the model; 0: none is loaded
};

/// A `headscope-engine serve` (app/engine/PROTOCOL.md) that is started at the first question and stays. One that has
/// died is a sentence, and the next question starts another.
/// @threads ask() and memory() from any, several at once; not from the GUI thread, as ask() waits
class EngineServer
{
public:
    /// Takes a notice: a sentence.
    using NoticeSink = std::function<void(const std::string& notice)>;

    /// @param program   headscope-engine
    /// @param onMemory  whenever memory() has changed; from any thread
    EngineServer(std::filesystem::path program, std::function<void()> onMemory);
    /// Ends the engine: asks, waits a second at most, then kills.
    ~EngineServer();
    EngineServer(const EngineServer&) = delete;
    EngineServer& operator=(const EngineServer&) = delete;

    /// The result of a request. A stop of the job cancels the request, and ends an engine that does not answer to that
    /// within a second. A result that comes in spite of the stop is handed on.
    /// @param params   JSON object
    /// @param onNotice takes what the engine notes on the way, when it arises; on this thread
    /// @errors those of the engine, as it tells them; Cancelled; Internal (the engine died); Resource (it could not
    ///         be started)
    [[nodiscard]] Result<nlohmann::json> ask(std::string_view method, const nlohmann::json& params, JobContext& job,
                                             const NoticeSink& onNotice = {});

    [[nodiscard]] EngineMemory memory() const;
    /// 0: it does not run.
    [[nodiscard]] pid_t processId() const;
    /// Whether somebody waits for its answer.
    [[nodiscard]] bool isAsked() const;

private:
    struct Process;
    struct Answer;

    [[nodiscard]] Result<std::shared_ptr<Process>> running();
    void readLines(Process& process);
    void takeLine(Process& process, const std::string& line);
    void takeAnswer(const nlohmann::json& object);
    [[nodiscard]] Error deathOf(const Process& process) const;

    std::filesystem::path m_program;
    std::function<void()> m_onMemory;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::shared_ptr<Process> m_process;                         ///< null: none was started, or it died
    std::map<std::uint64_t, std::shared_ptr<Answer>> m_pending; ///< by id
    std::uint64_t m_lastId = 0;
    EngineMemory m_memory;
};

} // namespace headscope::desktop
