// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/file_check.h"

#include "model/base/child_process.h"
#include "model/base/file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr const char* kProgram = "headscope-hdf5-check";

Error cannotCheck(const std::filesystem::path& path, const std::string& why)
{
    return {ErrorCode::Resource,
            fmt::format("the program {}, which checks each file before it is opened, {}; install Headscope again, or "
                        "name the program in HEADSCOPE_HDF5_CHECK",
                        kProgram, why),
            path.string(),
            {}};
}

/// A process whose standard output comes through a pipe. Ends it, where it still runs, with its scope.
class Child
{
public:
    Child() = default;
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child()
    {
        if (m_process > 0)
        {
            ::kill(m_process, SIGKILL);
            static_cast<void>(wait());
        }
    }

    /// @return  0 or an errno
    [[nodiscard]] int start(const std::filesystem::path& program, const std::filesystem::path& file);
    /// Adds what it wrote in the time given.
    /// @return  false once there will be no more
    [[nodiscard]] bool read(int milliseconds, std::string& into) const;
    /// How it ended, as waitpid says it.
    [[nodiscard]] int wait()
    {
        int status = 0;
        while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR)
            continue;
        m_process = -1;
        return status;
    }

private:
    pid_t m_process = -1;
    Descriptor m_output;
};

int Child::start(const std::filesystem::path& program, const std::filesystem::path& file)
{
    std::array<int, 2> pipe = {-1, -1};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        return errno;
    m_output = Descriptor(pipe[0]);
    const Descriptor theirs(pipe[1]);
    // A name that begins with a minus sign would be taken for an option.
    const std::string path = file.is_absolute() ? file.string() : (std::filesystem::path(".") / file).string();
    // Without ties: Ctrl-C goes to this program, which ends that one.
    const int number = startChild(program, {path}, {.out = theirs.number()}, ChildTies::None, m_process);
    if (number != 0)
        m_process = -1;
    return number;
}

bool Child::read(int milliseconds, std::string& into) const
{
    pollfd waiting = {m_output.number(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, milliseconds);
    if (ready == 0 || (ready < 0 && errno == EINTR))
        return true;
    std::array<char, 4096> piece{};
    const auto count = ::read(m_output.number(), piece.data(), piece.size());
    if (count > 0)
        into.append(piece.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
}

Error damaged(const std::filesystem::path& path, const std::string& place, const std::string& how)
{
    const bool cut = how.find("truncated") != std::string::npos;
    return {ErrorCode::BadFormat, (cut ? "the file is damaged or truncated: " : "the file is damaged: ") + how,
            path.string(), place};
}

/// What the line of the program says, its parts divided by tabs.
Error errorOfLine(const std::filesystem::path& path, std::string line)
{
    while (line.ends_with('\n'))
        line.pop_back();
    std::vector<std::string> parts(1);
    for (const char c : line)
    {
        if (c == '\t' && parts.size() < 4)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    parts.resize(4);
    int number = 0;
    std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), number);
    if (parts[0] == "system" && number != 0)
        return systemError(number, path, "reading").atPlace(parts[2]);
    if (parts[0] == "memory")
        return Error{ErrorCode::OutOfMemory, "reading it needs more memory than is available", path.string(), parts[2]};
    return damaged(path, parts[2], parts[3]);
}

/// What the end of the program says of the file.
Status verdictOf(const std::filesystem::path& path, int status, const std::string& line)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return {};
    if (WIFEXITED(status) && !line.empty())
        return errorOfLine(path, line);
    if (WIFEXITED(status))
        return cannotCheck(path, fmt::format("ended with code {}", WEXITSTATUS(status)));
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU)
        return damaged(path, {}, "reading it never finishes");
    if (signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP)
        return Error{
            ErrorCode::Resource,
            fmt::format("{}, which checks a file before it is opened, was stopped from outside (signal {}); try again",
                        kProgram, signal),
            path.string(),
            {}};
    return damaged(path, {},
                   fmt::format("the HDF5 library crashes on it (signal {}, {})", signal, ::strsignal(signal)));
}

Status runProgram(const std::filesystem::path& path, std::uint64_t bytes, JobContext& job)
{
    using Clock = std::chrono::steady_clock;
    // For a disk that does not answer: what computes for ever is ended by its own limits, however busy the machine is.
    constexpr std::uint64_t kSeconds = 600;
    constexpr std::uint64_t kBytesASecond = 5'000'000;
    const auto program = findFileCheck();
    if (!program)
        return cannotCheck(path, "was not found next to this program");
    const auto end = Clock::now() + std::chrono::seconds(kSeconds + bytes / kBytesASecond);
    Child child;
    if (const int number = child.start(*program, path); number != 0)
        return cannotCheck(
            path, fmt::format("does not start ({}: {})", program->string(), std::system_category().message(number)));
    std::string line;
    constexpr int kPollMs = 20;
    constexpr std::size_t kLongestLine = 8192;
    while (child.read(kPollMs, line) && line.size() < kLongestLine)
    {
        HEADSCOPE_CHECK(job.checkStop());
        if (Clock::now() > end)
            return Error{
                ErrorCode::Resource,
                fmt::format(
                    "reading it took longer than {} seconds: the disk or the machine is slow; copy the file to a "
                    "local disk",
                    kSeconds + bytes / kBytesASecond),
                path.string(),
                {}};
    }
    return verdictOf(path, child.wait(), line);
}

/// The answers so far. What went wrong for a reason beside the file is asked again.
class Answers
{
public:
    [[nodiscard]] std::optional<Status> find(const DiskStamp& stamp)
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_answers.find(stamp);
        return found == m_answers.end() ? std::nullopt : std::optional(found->second);
    }
    void keep(const DiskStamp& stamp, const Status& answer)
    {
        constexpr std::size_t kMost = 65'536;
        if (!answer && answer.error().code != ErrorCode::BadFormat)
            return;
        const std::scoped_lock lock(m_mutex);
        if (m_answers.size() == kMost)
            m_answers.clear();
        m_answers.insert_or_assign(stamp, answer);
    }
    /// @return  false: another thread asks about this file just now
    [[nodiscard]] bool begin(const DiskStamp& stamp)
    {
        const std::scoped_lock lock(m_mutex);
        return m_asked.insert(stamp).second;
    }
    void end(const DiskStamp& stamp)
    {
        const std::scoped_lock lock(m_mutex);
        m_asked.erase(stamp);
        m_ended.notify_all();
    }
    /// Waits until some question has ended, or for a moment.
    void wait()
    {
        constexpr auto kMoment = std::chrono::milliseconds(20);
        std::unique_lock lock(m_mutex);
        m_ended.wait_for(lock, kMoment);
    }

private:
    std::mutex m_mutex;
    std::map<DiskStamp, Status> m_answers;
    std::set<DiskStamp> m_asked; ///< files that are checked just now
    std::condition_variable m_ended;
};

Answers& answers()
{
    static Answers all;
    return all;
}

/// A file is checked by one thread at a time: others wait for its answer.
class Question
{
public:
    explicit Question(const DiskStamp& stamp) : m_stamp(stamp), m_isFirst(answers().begin(stamp)) {}
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;
    ~Question()
    {
        if (m_isFirst)
            answers().end(m_stamp);
    }
    [[nodiscard]] bool isFirst() const { return m_isFirst; }

private:
    DiskStamp m_stamp;
    bool m_isFirst;
};

} // namespace

std::optional<std::filesystem::path> findFileCheck()
{
    if (const char* named = std::getenv("HEADSCOPE_HDF5_CHECK"); named != nullptr && *named != '\0')
        return std::filesystem::path(named);
    std::error_code failed;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
    for (const auto& place : {folder / kProgram, folder.parent_path() / "libexec" / "headscope" / kProgram})
    {
        if (::access(place.c_str(), X_OK) == 0)
            return place;
    }
    return std::nullopt;
}

Status checkElsewhere(const std::filesystem::path& path, const DiskStamp& stamp, JobContext& job)
{
    for (;;)
    {
        if (const auto known = answers().find(stamp))
        {
            if (*known)
                return {};
            Error error = known->error();
            error.file = path.string(); // it may have been asked under another name
            return error;
        }
        const Question question(stamp);
        if (!question.isFirst())
        {
            HEADSCOPE_CHECK(job.checkStop());
            answers().wait();
            continue;
        }
        Status answer = runProgram(path, stamp.size, job);
        if (answer)
            HEADSCOPE_CHECK(checkUnchanged(path, stamp));
        answers().keep(stamp, answer);
        return answer;
    }
}

void trustWritten(const std::filesystem::path& published, const DiskStamp& part)
{
    const auto now = diskStampOf(published);
    DiskStamp renamed = part;
    renamed.changedNs = now ? now->changedNs : 0; // a rename is a change of the entry
    if (now && *now == renamed)
        answers().keep(*now, {});
}

} // namespace headscope
