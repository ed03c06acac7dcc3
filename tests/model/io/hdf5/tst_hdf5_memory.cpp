// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 is set up where memory is short: it has what it needs, or the program says so, and never a crash.
#include "model/io/hdf5/hdf5_guard.h"
#include "tests/support/memory_limit.h"
#include "tests/support/test_program.h"

#include <sys/wait.h>

#include <cstdlib>
#include <new>

using namespace headscope;

namespace
{

enum Outcome
{
    Prepared = 10,
    Refused
};

/// In a child of its own: HDF5 is set up once in a process.
int outcomeWith(std::uint64_t free)
{
    const pid_t child = ::fork();
    if (child == 0)
    {
        int outcome = Refused;
        const test::MemoryLimit limit(free);
        try
        {
            const Hdf5Guard guard;
            outcome = Prepared;
        }
        catch (const std::bad_alloc&) // the outcome says it
        {
        }
        std::_Exit(outcome);
    }
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

class TestHdf5Memory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void settingUpNeverCrashes()
    {
        constexpr std::uint64_t kStep = 32 << 10;
        constexpr std::uint64_t kMost = 8 << 20;
        int refused = 0;
        for (std::uint64_t free = 0; free < kMost; free += kStep)
        {
            const int outcome = outcomeWith(free);
            QVERIFY2(outcome == Prepared || outcome == Refused, qPrintable(QStringLiteral("%1 bytes").arg(free)));
            refused += outcome == Refused ? 1 : 0;
        }
        QVERIFY(refused > 0);
        QCOMPARE(outcomeWith(kMost), static_cast<int>(Prepared));
    }
};

HEADSCOPE_TEST_GUILESS(TestHdf5Memory)
#include "tst_hdf5_memory.moc"
