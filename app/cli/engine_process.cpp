// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_process.h"

#include "model/base/child_process.h"
#include "model/base/file.h"
#include "model/base/output/temporary_path.h"

#include <fmt/format.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace headscope::cli
{
namespace
{

/// An unnamed temporary file that goes with its descriptor.
class ScratchFile
{
public:
    ScratchFile() : m_descriptor(openUnnamedFile().value_or(-1)) {}

    [[nodiscard]] int descriptor() const { return m_descriptor.number(); }

    /// Writes all of a text and goes back to the start.
    [[nodiscard]] bool fill(std::string_view text) const
    {
        while (!text.empty())
        {
            const auto written = ::write(descriptor(), text.data(), text.size());
            if (written < 0 && errno != EINTR)
                return false;
            text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
        }
        return ::lseek(descriptor(), 0, SEEK_SET) == 0;
    }

    [[nodiscard]] std::string contents() const
    {
        std::string text;
        std::array<char, 4096> piece{};
        auto offset = off_t{0};
        for (auto got = ::pread(descriptor(), piece.data(), piece.size(), offset); got > 0;
             got = ::pread(descriptor(), piece.data(), piece.size(), offset))
        {
            text.append(piece.data(), static_cast<std::size_t>(got));
            offset += got;
        }
        return text;
    }

private:
    Descriptor m_descriptor;
};

/// Waits for the engine and passes a stop on to it.
int waitFor(pid_t engine, JobContext& job)
{
    int status = 0;
    bool asked = false;
    for (;;)
    {
        const pid_t ended = ::waitpid(engine, &status, WNOHANG);
        if (ended == engine || (ended < 0 && errno != EINTR))
            return status;
        if (job.stopRequested() && !asked)
        {
            ::kill(engine, SIGTERM);
            asked = true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

/// The last line that is not empty, without the program's name.
std::string lastSentence(const std::string& errors)
{
    const auto end = errors.find_last_not_of("\r\n ");
    if (end == std::string::npos)
        return {};
    const auto begin = errors.find_last_of("\r\n", end);
    std::string line = errors.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin + 1) + 1);
    for (const std::string_view name : {"headscope-engine: ", "headscope: "})
        if (line.starts_with(name))
            line.erase(0, name.size());
    return line;
}

ErrorCode codeOf(int exitCode)
{
    switch (exitCode)
    {
    case 2:
        return ErrorCode::WrongUse;
    case 3:
        return ErrorCode::BadFormat;
    case 4:
        return ErrorCode::Resource;
    case 130:
    case 143:
        return ErrorCode::Cancelled;
    default:
        return ErrorCode::Internal;
    }
}

/// @param output  descriptor that gets the engine's standard output; -1: it is discarded
Status runWith(const std::filesystem::path& engine, const std::vector<std::string>& arguments, std::string_view input,
               int output, JobContext& job)
{
    const ScratchFile in;
    const ScratchFile errors;
    if (in.descriptor() < 0 || errors.descriptor() < 0 || !in.fill(input))
        return systemError(errno, std::filesystem::temp_directory_path(), "writing a temporary file");
    pid_t child = 0;
    const int failed =
        startChild(engine, arguments, {in.descriptor(), output, errors.descriptor()}, ChildTies::Terminal, child);
    if (failed != 0)
        return engineError(failed, engine, arguments.empty() ? std::string_view() : arguments.front());
    const int status = waitFor(child, job);
    HEADSCOPE_CHECK(job.checkStop());
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return {};
    if (WIFSIGNALED(status))
        return Error{ErrorCode::Internal,
                     fmt::format("headscope-engine was ended by signal {}", WTERMSIG(status)),
                     engine.string(),
                     {}};
    const std::string sentence = lastSentence(errors.contents());
    return Error{codeOf(WEXITSTATUS(status)),
                 sentence.empty() ? fmt::format("headscope-engine ended with code {}", WEXITSTATUS(status)) : sentence,
                 {},
                 {}};
}

} // namespace

std::filesystem::path enginePath()
{
    std::error_code failed;
    return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path() / "headscope-engine";
}

Error engineError(int number, const std::filesystem::path& engine, std::string_view verb)
{
    return {ErrorCode::Resource,
            number == ENOENT ? fmt::format("expected headscope-engine next to headscope, found none; \"{}\" needs it "
                                           "(install the package headscope-engine)",
                                           verb)
                             : fmt::format("it could not be started: {}", std::system_category().message(number)),
            engine.string(),
            {}};
}

Status runEngine(const std::filesystem::path& engine, const std::vector<std::string>& arguments, std::string_view input,
                 JobContext& job)
{
    return runWith(engine, arguments, input, -1, job);
}

Result<std::string> askEngine(const std::filesystem::path& engine, const std::vector<std::string>& arguments,
                              JobContext& job)
{
    const ScratchFile out;
    if (out.descriptor() < 0)
        return systemError(errno, std::filesystem::temp_directory_path(), "writing a temporary file");
    HEADSCOPE_CHECK(runWith(engine, arguments, {}, out.descriptor(), job));
    return out.contents();
}

} // namespace headscope::cli
