// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::cli
{

/// headscope-engine: next to this program, else in the search path; where it is in neither, the path next to this
/// program.
[[nodiscard]] std::filesystem::path enginePath();

/// The sentence for an engine that could not be started. It names no verb: a user of the window, or of a verb that asks
/// the engine for another, has typed none of those that the engine gets.
/// @param number  errno
[[nodiscard]] Error engineError(int number, const std::filesystem::path& engine);

/// How a process ended, behind its name: "was ended by SIGSEGV (invalid memory access)", "ended with exit code 4".
/// @param status  as waitpid tells
[[nodiscard]] std::string endingText(int status);

/// Which of what an engine writes is read while it runs. The rest is kept until it has ended.
enum class EngineLines
{
    None,
    Output, ///< its standard output; what write() is given is its standard input
};

/// A headscope-engine that runs as a child process: for one verb, or for `serve`. Nothing of it is passed on to other
/// children. Moves, does not copy.
/// @threads readLine() from one, all others from any
class EngineProcess
{
public:
    /// @param input  its standard input, where that is not written to
    /// @errors those of engineError; Resource (no temporary file)
    [[nodiscard]] static Result<EngineProcess> start(const std::filesystem::path& program,
                                                     const std::vector<std::string>& arguments, EngineLines lines,
                                                     std::string_view input = {});
    EngineProcess(EngineProcess&& other) noexcept;
    EngineProcess& operator=(EngineProcess&&) = delete;
    /// Kills it.
    ~EngineProcess();

    /// The next line, without its end; waits for it. Nothing: it writes no more.
    [[nodiscard]] std::optional<std::string> readLine();
    /// Writes to its standard input; nothing happens where it does not read any more.
    void write(std::string_view bytes);
    /// Waits until it has ended.
    /// @return  as waitpid tells
    int ending();
    /// The same; asks it to end when the job is stopped.
    int ending(JobContext& job);
    /// Asks it to end.
    void askToEnd();
    void kill();
    /// Asks it to end, and kills it where it has not ended by itself. For who does not read any more, also while
    /// another thread waits in readLine().
    void end(std::chrono::milliseconds patience);
    [[nodiscard]] pid_t id() const;
    /// Its standard output, where that is kept.
    [[nodiscard]] std::string output() const;
    /// The last lines that it wrote to standard error, without the program's name, with " / " between them.
    [[nodiscard]] std::string lastWords(std::size_t lines = 1) const;

private:
    struct State;
    explicit EngineProcess(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace headscope::cli
