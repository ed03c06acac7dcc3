// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/limited_run.h"

#include "tests/support/send_signal.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <thread>

namespace headscope::faults
{
namespace
{

using Clock = std::chrono::steady_clock;

/// Environment of a run: ours, with some names replaced.
std::vector<std::string> environmentWith(const std::vector<std::string>& replaced)
{
    std::vector<std::string> all = replaced;
    for (char** entry = environ; *entry != nullptr; ++entry)
    {
        const std::string text = *entry;
        const std::string name = text.substr(0, text.find('=') + 1);
        if (std::ranges::none_of(replaced, [&](const std::string& other) { return other.starts_with(name); }))
            all.push_back(text);
    }
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

pid_t start(const Command& command, const std::filesystem::path& folder, const std::filesystem::path& notes)
{
    std::vector<std::string> words = command.words;
    std::vector<std::string> environment = environmentWith(command.environment);
    const std::string input = command.input.empty() ? "/dev/null" : command.input.string();
    constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, (notes.string() + ".out").c_str(), kNew, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, (notes.string() + ".err").c_str(), kNew, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t child = -1;
    const int failed = ::posix_spawn(&child, words.front().c_str(), &actions, &attributes, pointers(words).data(),
                                     pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0 || child < 2) // a signal to its group would reach our own
        throw std::runtime_error(words.front() + ": " + std::strerror(failed));
    return child;
}

/// The first character that no text for people holds: a control, DEL, C1, or what is not UTF-8.
std::optional<std::size_t> strangeByte(const std::string& text)
{
    for (std::size_t at = 0; at < text.size();)
    {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
        if (length == 0 || lead > 0xf4 || at + length > text.size())
            return at;
        for (std::size_t i = 1; i < length; ++i)
            if ((static_cast<unsigned char>(text[at + i]) & 0xc0U) != 0x80)
                return at;
        const bool control = (lead < 0x20 && lead != '\n' && lead != '\t') || lead == 0x7f;
        if (control || (lead == 0xc2 && static_cast<unsigned char>(text[at + 1]) < 0xa0))
            return at;
        at += length;
    }
    return std::nullopt;
}

} // namespace

void limitMemory(long megabytes)
{
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    if (megabytes > 0)
    {
        const auto bytes = static_cast<rlim_t>(megabytes) << 20U;
        const rlimit most{bytes, bytes};
        ::setrlimit(RLIMIT_AS, &most);
    }
}

namespace
{

/// Prints where each thread of a process stands, where a debugger is installed.
void showStacks(pid_t process)
{
    const std::string line = "timeout 30 gdb -q -batch -ex 'thread apply all bt 30' -p " + std::to_string(process) +
                             " 2>/dev/null | grep -E '^(#|Thread)'";
    [[maybe_unused]] const int status = std::system(line.c_str());
}

/// Ends what a child has started with it. It leads a group of its own; start() has thrown where it never began.
void endGroup(pid_t child)
{
    static_cast<void>(test::sendToGroup(child, SIGKILL));
}

} // namespace

Ended run(const Command& command, const std::filesystem::path& folder, const std::filesystem::path& notes,
          const Limits& limits)
{
    const auto begin = Clock::now();
    const pid_t child = start(command, folder, notes);
    const auto most = static_cast<rlim_t>(limits.cpuSeconds);
    const rlimit computing{most, most + 5};
    ::prlimit(child, RLIMIT_CPU, &computing, nullptr);
    Ended ended;
    int status = 0;
    rusage used = {};
    auto pause = std::chrono::microseconds(500);
    while (::wait4(child, &status, WNOHANG, &used) == 0)
    {
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 5 / 4, std::chrono::microseconds(10'000));
        if (std::chrono::duration<double>(Clock::now() - begin).count() <= limits.seconds)
            continue;
        ended.hung = true;
        showStacks(child);
        endGroup(child);
        ::wait4(child, &status, 0, &used);
        break;
    }
    endGroup(child); // what it left running
    if (WIFEXITED(status))
        ended.exitCode = WEXITSTATUS(status);
    else
        ended.signal = WTERMSIG(status);
    ended.hung = ended.hung || ended.signal == SIGXCPU;
    ended.residentKilobytes = used.ru_maxrss;
    ended.out = readFile(notes.string() + ".out");
    ended.err = readFile(notes.string() + ".err");
    return ended;
}

std::string blame(const Ended& ended, const Limits& limits)
{
    if (ended.hung)
        return "hang";
    if (ended.signal != 0)
        return std::string("ended by ") + ::strsignal(ended.signal);
    if (ended.exitCode != 0 && ended.exitCode != 2 && ended.exitCode != 3 && ended.exitCode != 4)
        return "exit code " + std::to_string(ended.exitCode);
    if (limits.residentMegabytes > 0 && ended.residentKilobytes / 1024 > limits.residentMegabytes)
        return "took " + std::to_string(ended.residentKilobytes / 1024) + " MB";
    const bool told = ended.err.starts_with("headscope: ") || ended.err.find("\nheadscope: ") != std::string::npos;
    if (ended.exitCode != 0 && !told)
        return "exit code " + std::to_string(ended.exitCode) + " without a sentence";
    if (ended.err.find("expectation failed") != std::string::npos)
        return "an expectation failed";
    if (strangeByte(ended.err))
        return "control characters or broken UTF-8 on standard error";
    if (strangeByte(ended.out))
        return "control characters or broken UTF-8 on standard output";
    return {};
}

std::string shellLine(const Command& command)
{
    std::string line;
    const auto add = [&](const std::string& word) {
        const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                  "0123456789_-./:,=+") == std::string::npos;
        line += (line.empty() ? "" : " ") + (plain && !word.empty() ? word : "'" + word + "'");
    };
    for (const std::string& text : command.environment)
        add(text);
    for (const std::string& word : command.words)
        add(word);
    return command.input.empty() ? line : line + " <" + command.input.string();
}

std::map<std::string, std::string> filesBelow(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        files[entry.path().lexically_relative(folder).string()] =
            entry.is_regular_file() ? readFile(entry.path()) : std::string();
    return files;
}

std::string readFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

void writeFile(const std::filesystem::path& path, const std::string& bytes)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush())
        throw std::runtime_error("cannot write " + path.string());
}

} // namespace headscope::faults
