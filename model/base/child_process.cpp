// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{
namespace
{

/// What posix_spawn does to the files of a child.
class FileActions
{
public:
    FileActions() { ::posix_spawn_file_actions_init(&m_actions); }
    ~FileActions() { ::posix_spawn_file_actions_destroy(&m_actions); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;

    /// First those that are given: where this program has no standard files, they may have their numbers.
    void give(const StandardFiles& files)
    {
        const std::initializer_list<std::array<int, 2>> all = {
            {files.in, STDIN_FILENO}, {files.out, STDOUT_FILENO}, {files.err, STDERR_FILENO}};
        for (const auto& [from, to] : all)
            if (from >= 0)
                note(::posix_spawn_file_actions_adddup2(&m_actions, from, to));
        for (const auto& [from, to] : all)
            if (from < 0)
                note(::posix_spawn_file_actions_addopen(&m_actions, to, "/dev/null",
                                                        to == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0));
    }
    void closeOthers() { note(::posix_spawn_file_actions_addclosefrom_np(&m_actions, STDERR_FILENO + 1)); }
    /// 0, or the errno of the first that could not be put down.
    [[nodiscard]] int failure() const { return m_failure; }
    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &m_actions; }

private:
    void note(int failure)
    {
        if (m_failure == 0)
            m_failure = failure;
    }

    posix_spawn_file_actions_t m_actions{};
    int m_failure = 0;
};

/// What posix_spawn does to a child's signals and group.
class Attributes
{
public:
    explicit Attributes(ChildTies ties)
    {
        ::posix_spawnattr_init(&m_attributes);
        sigset_t none;
        sigset_t all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        // The thread that starts it may have signals masked; the child shall hear them.
        ::posix_spawnattr_setsigmask(&m_attributes, &none);
        ::posix_spawnattr_setsigdefault(&m_attributes, &all);
        const int own = ties == ChildTies::None ? POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF : 0;
        ::posix_spawnattr_setflags(&m_attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | own));
    }
    ~Attributes() { ::posix_spawnattr_destroy(&m_attributes); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;

    [[nodiscard]] const posix_spawnattr_t* get() const { return &m_attributes; }

private:
    posix_spawnattr_t m_attributes{};
};

} // namespace

Descriptor::~Descriptor()
{
    if (m_number >= 0)
        ::close(m_number);
}

int startChild(const std::filesystem::path& program, std::vector<std::string> arguments, const StandardFiles& files,
               ChildTies ties, pid_t& process)
{
    arguments.insert(arguments.begin(), program.string());
    std::vector<char*> words;
    words.reserve(arguments.size() + 1);
    for (std::string& each : arguments)
        words.push_back(each.data());
    words.push_back(nullptr);
    FileActions actions;
    actions.give(files);
    if (ties == ChildTies::None)
        actions.closeOthers();
    if (actions.failure() != 0)
        return actions.failure();
    const Attributes attributes(ties);
    std::string parent = std::string(kParentVariable) + '=' + std::to_string(::getpid());
    std::vector<char*> variables;
    for (char** each = environ; *each != nullptr; ++each)
        if (!std::string_view(*each).starts_with(std::string(kParentVariable) + '='))
            variables.push_back(*each);
    if (ties == ChildTies::Terminal)
        variables.push_back(parent.data());
    variables.push_back(nullptr);
    return ::posix_spawn(&process, program.c_str(), actions.get(), attributes.get(), words.data(), variables.data());
}

void endWithParent()
{
    const char* parent = std::getenv(kParentVariable); // NOLINT(concurrency-mt-unsafe): before any thread
    if (parent == nullptr)
        return;
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (std::to_string(::getppid()) != parent) // it ended before
        ::raise(SIGTERM);
}

} // namespace headscope
