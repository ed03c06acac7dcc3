// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_process.h"

#include "model/base/child_process.h"
#include "model/base/file.h"
#include "model/base/output/temporary_path.h"

#include <fmt/format.h>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

namespace headscope::cli
{
namespace
{

constexpr auto kLook = std::chrono::milliseconds(2); ///< how often a child is looked at

/// Two ends of a connection: ours and the child's.
Result<std::pair<Descriptor, Descriptor>> connection()
{
    std::array<int, 2> ends = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return systemError(errno, "headscope-engine", "connecting to the engine");
    return std::pair(Descriptor(ends[0]), Descriptor(ends[1]));
}

/// An unnamed temporary file that holds a text, to be read from its start.
Result<Descriptor> fileOf(std::string_view text)
{
    HEADSCOPE_TRY(const int number, openUnnamedFile());
    Descriptor file(number);
    while (!text.empty())
    {
        const auto written = ::write(number, text.data(), text.size());
        if (written < 0 && errno != EINTR)
            return systemError(errno, std::filesystem::temp_directory_path(), "writing a temporary file");
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    if (::lseek(number, 0, SEEK_SET) != 0)
        return systemError(errno, std::filesystem::temp_directory_path(), "writing a temporary file");
    return file;
}

/// What a file holds from an offset on.
std::string contentsOf(const Descriptor& file, off_t offset)
{
    std::string text;
    std::array<char, 4096> piece{};
    for (auto got = ::pread(file.number(), piece.data(), piece.size(), offset); got > 0;
         got = ::pread(file.number(), piece.data(), piece.size(), offset))
    {
        text.append(piece.data(), static_cast<std::size_t>(got));
        offset += got;
    }
    return text;
}

std::string signalName(int number)
{
    static constexpr std::array<std::pair<int, std::string_view>, 9> kNames{{
        {SIGSEGV, "SIGSEGV (invalid memory access)"},
        {SIGKILL, "SIGKILL (killed, often because memory ran out)"},
        {SIGABRT, "SIGABRT (internal error)"},
        {SIGBUS, "SIGBUS (a file became shorter while the engine was reading it)"},
        {SIGILL, "SIGILL (this CPU lacks an instruction that the engine needs)"},
        {SIGFPE, "SIGFPE (arithmetic error)"},
        {SIGTERM, "SIGTERM (a request to stop)"},
        {SIGINT, "SIGINT (interrupted)"},
        {SIGPIPE, "SIGPIPE (its output was closed)"},
    }};
    for (const auto& [signal, name] : kNames)
        if (signal == number)
            return std::string(name);
    return fmt::format("signal {}", number);
}

} // namespace

std::filesystem::path enginePath()
{
    const std::string name = "headscope-engine";
    std::error_code failed;
    const auto beside = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path() / name;
    if (::access(beside.c_str(), X_OK) == 0)
        return beside;
    const char* const search = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nobody sets it
    std::istringstream folders(search == nullptr ? "" : search);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const auto there = std::filesystem::path(folder) / name;
            !folder.empty() && ::access(there.c_str(), X_OK) == 0)
            return there;
    return beside;
}

Error engineError(int number, const std::filesystem::path& engine)
{
    return {ErrorCode::Resource,
            number == ENOENT
                ? std::string("this program, which runs models, is missing (install the package headscope-engine)")
                : fmt::format("this program could not be started: {}", std::system_category().message(number)),
            engine.string(),
            {}};
}

std::string endingText(int status)
{
    return WIFSIGNALED(status) ? "was stopped by " + signalName(WTERMSIG(status))
                               : fmt::format("stopped with exit code {}", WEXITSTATUS(status));
}

struct EngineProcess::State
{
    Descriptor in;     ///< our end of its standard input, where that is written to
    Descriptor out;    ///< our end of its standard output, or the file that keeps it
    Descriptor errors; ///< the file that keeps its standard error
    pid_t process = 0;
    std::string read; ///< and not yet handed out
    std::mutex writing;
    std::mutex mutex;
    std::optional<int> status; ///< once it was waited for

    /// Whether it has ended; takes its status then.
    bool hasEnded()
    {
        const std::lock_guard lock(mutex);
        int code = 0;
        if (!status && ::waitpid(process, &code, WNOHANG) == process)
            status = code;
        return status.has_value();
    }
    /// Only while it is there: its number may be another's later.
    void signal(int number)
    {
        const std::lock_guard lock(mutex);
        if (!status)
            ::kill(process, number);
    }
};

EngineProcess::EngineProcess(std::unique_ptr<State> state) : m_state(std::move(state)) {}
EngineProcess::EngineProcess(EngineProcess&& other) noexcept = default;

EngineProcess::~EngineProcess()
{
    if (m_state == nullptr)
        return;
    m_state->signal(SIGKILL);
    ending();
}

Result<EngineProcess> EngineProcess::start(const std::filesystem::path& program,
                                           const std::vector<std::string>& arguments, EngineLines lines,
                                           std::string_view input)
{
    auto state = std::make_unique<State>();
    std::vector<Descriptor> theirs; // closed here once the child has them
    const auto give = [&theirs](Descriptor& ours, bool connected, std::string_view text) -> Result<int> {
        if (!connected)
        {
            HEADSCOPE_TRY(ours, fileOf(text));
            return ours.number();
        }
        HEADSCOPE_TRY(auto ends, connection());
        ours = std::move(ends.first);
        theirs.push_back(std::move(ends.second));
        return theirs.back().number();
    };
    StandardFiles files;
    HEADSCOPE_TRY(files.in, give(state->in, lines == EngineLines::Output, input));
    HEADSCOPE_TRY(files.out, give(state->out, lines == EngineLines::Output, {}));
    HEADSCOPE_TRY(files.err, give(state->errors, false, {}));
    const int failed = startChild(program, arguments, files, ChildTies::Terminal, state->process);
    if (failed != 0)
        return engineError(failed, program);
    return EngineProcess(std::move(state));
}

std::optional<std::string> EngineProcess::readLine()
{
    std::array<char, 1 << 14> bytes{};
    for (;;)
    {
        if (const auto end = m_state->read.find('\n'); end != std::string::npos)
        {
            std::string line = m_state->read.substr(0, end);
            m_state->read.erase(0, end + 1);
            return line;
        }
        const auto count = ::read(m_state->out.number(), bytes.data(), bytes.size());
        if (count > 0)
            m_state->read.append(bytes.data(), static_cast<std::size_t>(count));
        else if (count < 0 && errno == EINTR)
            continue;
        else
            return std::nullopt; // JSON that was cut off is none
    }
}

void EngineProcess::write(std::string_view bytes)
{
    const std::lock_guard lock(m_state->writing);
    while (!bytes.empty())
    {
        const auto count = ::send(m_state->in.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR)
            return;
        bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
    }
}

int EngineProcess::ending()
{
    while (!m_state->hasEnded())
        std::this_thread::sleep_for(kLook);
    return *m_state->status;
}

int EngineProcess::ending(JobContext& job)
{
    for (bool asked = false; !m_state->hasEnded(); std::this_thread::sleep_for(kLook))
        if (job.stopRequested() && !std::exchange(asked, true))
            askToEnd();
    return *m_state->status;
}

void EngineProcess::askToEnd()
{
    m_state->signal(SIGTERM);
}

void EngineProcess::kill()
{
    m_state->signal(SIGKILL);
}

void EngineProcess::end(std::chrono::milliseconds patience)
{
    ::shutdown(m_state->in.number(), SHUT_RDWR);
    m_state->signal(SIGTERM);
    for (const auto until = std::chrono::steady_clock::now() + patience;
         !m_state->hasEnded() && std::chrono::steady_clock::now() < until;)
        std::this_thread::sleep_for(kLook);
    m_state->signal(SIGKILL);
    ending();
    ::shutdown(m_state->out.number(), SHUT_RDWR); // whoever reads
}

pid_t EngineProcess::id() const
{
    return m_state->process;
}

std::string EngineProcess::output() const
{
    return contentsOf(m_state->out, 0);
}

std::string EngineProcess::lastWords(std::size_t lines) const
{
    constexpr off_t kLast = 2000;
    const off_t size = ::lseek(m_state->errors.number(), 0, SEEK_END);
    std::string text = contentsOf(m_state->errors, std::max(off_t{0}, size - kLast));
    std::string words;
    while (lines > 0)
    {
        text.erase(text.find_last_not_of("\r\n ") + 1);
        if (text.empty())
            break;
        const auto before = text.find_last_of("\r\n");
        std::string line = text.substr(before == std::string::npos ? 0 : before + 1);
        text.erase(text.size() - line.size());
        for (const std::string_view name : {"headscope-engine: ", "headscope: "})
            if (line.starts_with(name))
                line.erase(0, name.size());
        words.insert(0, words.empty() ? line : line + " / ");
        --lines;
    }
    return words;
}

} // namespace headscope::cli
