// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/engine/served_process.h"

#include "app/cli/engine_process.h"
#include "model/base/child_process.h"
#include "model/base/file.h"
#include "model/base/output/temporary_path.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// Two ends of a connection: ours and the child's.
Result<std::pair<Descriptor, Descriptor>> connection()
{
    std::array<int, 2> ends = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return systemError(errno, "headscope-engine", "connecting to it");
    return std::pair(Descriptor(ends[0]), Descriptor(ends[1]));
}

} // namespace

struct ServedProcess::State
{
    Descriptor in;  ///< our end of its standard input
    Descriptor out; ///< our end of its standard output
    Descriptor errors;
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

ServedProcess::ServedProcess(std::unique_ptr<State> state) : m_state(std::move(state)) {}
ServedProcess::ServedProcess(ServedProcess&& other) noexcept = default;

ServedProcess::~ServedProcess()
{
    if (m_state == nullptr)
        return;
    m_state->signal(SIGKILL);
    wait();
}

Result<ServedProcess> ServedProcess::start(const std::filesystem::path& program,
                                           const std::vector<std::string>& arguments)
{
    auto state = std::make_unique<State>();
    HEADSCOPE_TRY(auto in, connection());
    HEADSCOPE_TRY(auto out, connection());
    HEADSCOPE_TRY(const int errors, openUnnamedFile());
    state->in = std::move(in.first);
    state->out = std::move(out.first);
    state->errors = Descriptor(errors);
    const int failed = startChild(program, arguments, {in.second.number(), out.second.number(), errors},
                                  ChildTies::Terminal, state->process);
    if (failed != 0)
    {
        state.reset();
        return cli::engineError(failed, program, "serve");
    }
    return ServedProcess(std::move(state));
}

std::optional<std::string> ServedProcess::readLine()
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
        else if (count == 0 || errno != EINTR)
            return std::nullopt;
    }
}

void ServedProcess::write(std::string_view bytes)
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

int ServedProcess::wait()
{
    constexpr auto kLook = std::chrono::milliseconds(2);
    while (!m_state->hasEnded())
        std::this_thread::sleep_for(kLook);
    return *m_state->status;
}

void ServedProcess::kill()
{
    m_state->signal(SIGKILL);
}

void ServedProcess::end(std::chrono::milliseconds patience)
{
    constexpr auto kLook = std::chrono::milliseconds(2);
    ::shutdown(m_state->in.number(), SHUT_RDWR);
    m_state->signal(SIGTERM);
    for (const auto until = std::chrono::steady_clock::now() + patience;
         !m_state->hasEnded() && std::chrono::steady_clock::now() < until;)
        std::this_thread::sleep_for(kLook);
    m_state->signal(SIGKILL);
    wait();
    ::shutdown(m_state->out.number(), SHUT_RDWR); // whoever reads
}

pid_t ServedProcess::id() const
{
    return m_state->process;
}

std::string ServedProcess::lastWords() const
{
    constexpr off_t kLast = 2000;
    std::array<char, kLast> bytes{};
    const off_t size = ::lseek(m_state->errors.number(), 0, SEEK_END);
    const auto count = ::pread(m_state->errors.number(), bytes.data(), bytes.size(), std::max(off_t{0}, size - kLast));
    std::string_view text(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    if (const auto begin = text.rfind('\n'); begin != std::string_view::npos)
        text.remove_prefix(begin + 1);
    constexpr std::string_view kName = "headscope: ";
    return std::string(text.starts_with(kName) ? text.substr(kName.size()) : text);
}

} // namespace headscope::desktop
