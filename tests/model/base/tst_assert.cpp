// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/assert.h"
#include "model/base/log.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QScopeGuard>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using namespace headscope;

namespace
{

int clampedHalf(int value)
{
    HEADSCOPE_EXPECT(value >= 0, return -1);
    return value / 2;
}

/// What ends a child that runs `body`: a signal, or minus its exit code; 0 where it ends as it should.
int signalOf(void (*body)())
{
    const pid_t child = fork();
    if (child == 0)
    {
        close(STDERR_FILENO);
        body();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

} // namespace

class TestAssert : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void failedAssertionAborts()
    {
#ifdef NDEBUG
        QSKIP("assertions are off in this build");
#endif
        QCOMPARE(signalOf([] { HEADSCOPE_ASSERT(1 + 1 == 3); }), SIGABRT);
    }

    void brokenExpectationAbortsATest()
    {
        QCOMPARE(qgetenv("HEADSCOPE_STRICT"), QByteArray("1")); // CTest sets it
        QCOMPARE(signalOf([] { clampedHalf(-8); }), SIGABRT);
    }

    void brokenExpectationRecovers()
    {
        QCOMPARE(signalOf([] {
                     qunsetenv("HEADSCOPE_STRICT");
                     _exit(clampedHalf(-8) == -1 ? 0 : 1);
                 }),
                 0);
    }

    void metExpectationGoesOn()
    {
        QCOMPARE(clampedHalf(8), 4);
    }

    void brokenExpectationIsLoggedOnce()
    {
        const auto strict = qgetenv("HEADSCOPE_STRICT");
        const auto restore = qScopeGuard([&strict] { qputenv("HEADSCOPE_STRICT", strict); });
        qunsetenv("HEADSCOPE_STRICT");
        int lines = 0;
        const LogSink former = setLogSink([&lines](LogLevel, std::string_view line) {
            lines += line.find("numbers agree") != std::string_view::npos ? 1 : 0;
        });
        for (int i = 0; i < 3; ++i)
            expectationFailed("numbers agree", "file.cpp", 12);
        setLogSink(former);
        QCOMPARE(lines, 1);
    }
};

HEADSCOPE_TEST_GUILESS(TestAssert)
#include "tst_assert.moc"
