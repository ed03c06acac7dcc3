// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/assert.h"
#include "model/base/log.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

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
        const pid_t child = fork();
        if (child == 0)
        {
            close(STDERR_FILENO);
            HEADSCOPE_ASSERT(1 + 1 == 3);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(WTERMSIG(status), SIGABRT);
    }

    void metExpectationGoesOn()
    {
        QCOMPARE(clampedHalf(8), 4);
    }

    void brokenExpectationIsLoggedOnce()
    {
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
