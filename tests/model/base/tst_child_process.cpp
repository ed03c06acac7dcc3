// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/child_process.h"

#include "tests/support/test_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <pthread.h>

using namespace headscope;

namespace
{

struct Ended
{
    int failed = 0;
    int status = -1;
    std::string out;
};

/// Runs a line of shell, its standard output through a pipe.
Ended runShell(const std::string& line, ChildTies ties)
{
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return {errno, -1, {}};
    const Descriptor out(ends[0]);
    Ended ended;
    pid_t process = 0;
    {
        const Descriptor theirs(ends[1]);
        ended.failed = startChild("/bin/sh", {"-c", line, "zero", "one two"}, {.out = theirs.number()}, ties, process);
    }
    if (ended.failed != 0)
        return ended;
    std::array<char, 4096> piece{};
    for (auto got = ::read(out.number(), piece.data(), piece.size()); got > 0;
         got = ::read(out.number(), piece.data(), piece.size()))
        ended.out.append(piece.data(), static_cast<std::size_t>(got));
    ::waitpid(process, &ended.status, 0);
    return ended;
}

} // namespace

class TestChildProcess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void givesArgumentsAndStandardFiles()
    {
        const Ended ended = runShell("cat; echo \"$0 $1 $#\"; echo lost >&2; exit 7", ChildTies::Terminal);
        QCOMPARE(ended.failed, 0);
        QCOMPARE(ended.out, std::string("zero one two 1\n")); // nothing came in, and nothing went elsewhere
        QVERIFY(WIFEXITED(ended.status));
        QCOMPARE(WEXITSTATUS(ended.status), 7);
    }

    void aMissingProgramIsAnErrno()
    {
        pid_t process = 0;
        QCOMPARE(startChild("/nowhere/program", {}, {}, ChildTies::Terminal, process), ENOENT);
    }

    /// The thread that starts it may have SIGTERM masked, as those of jobs have.
    void maskedSignalsAreHeard()
    {
        sigset_t term;
        sigset_t before;
        ::sigemptyset(&term);
        ::sigaddset(&term, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &term, &before);
        const Ended ended = runShell("kill -TERM $$; exit 0", ChildTies::Terminal);
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        QCOMPARE(ended.failed, 0);
        QVERIFY(WIFSIGNALED(ended.status));
        QCOMPARE(WTERMSIG(ended.status), SIGTERM);
    }

    /// Without ties: a group of its own, and no file of ours that is not marked to be closed.
    void withoutTiesNothingIsPassedOn()
    {
        const Descriptor kept(::dup(STDERR_FILENO));
        const std::string line =
            "[ -e /proc/self/fd/" + std::to_string(kept.number()) +
            " ] && echo open; read -r pid name state parent group rest < /proc/$$/stat; echo $group";
        const std::string own = std::to_string(::getpgrp());
        QCOMPARE(runShell(line, ChildTies::Terminal).out, "open\n" + own + "\n");
        const Ended alone = runShell(line, ChildTies::None);
        QVERIFY2(!alone.out.starts_with("open"), alone.out.c_str());
        QVERIFY2(alone.out != own + "\n", alone.out.c_str());
        QVERIFY2(std::stol(alone.out) > 0, alone.out.c_str());
    }
};

HEADSCOPE_TEST_GUILESS(TestChildProcess)
#include "tst_child_process.moc"
