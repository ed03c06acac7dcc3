// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/stop_signals.h"

#include "model/base/job_context.h"
#include "model/base/output/output_file.h"
#include "model/base/output/temporary_path.h"

#include "tests/support/process.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <thread>

using namespace headscope;
using namespace headscope::shell;
using namespace std::chrono_literals;

namespace
{

/// What a child process that runs `work` ended with: its exit code, or 1000 + the signal that killed it.
int endOf(const std::function<void()>& work)
{
    const pid_t child = fork();
    if (child == 0)
    {
        alarm(240); // SIGALRM kills a child that hangs
        work();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

void raiseHere(int signal)
{
    if (!test::signal(getpid(), signal))
        _exit(5);
}

/// Work that does not listen.
void hang()
{
    while (true)
        pause();
}

} // namespace

class TestStopSignals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asksToStop();
    void secondSignalEnds();
    void graceEnds();
    void workThatHeardIsGivenTime();
    void hangupAsks();
    void ignoredHangupStaysIgnored();
    void partFilesGoWithIt();
    void restoresWhatStood();
    void closedReaderIsNotTheEnd();
};

void TestStopSignals::asksToStop()
{
    QCOMPARE(endOf([] {
                 StopSignals signals;
                 raiseHere(SIGTERM);
                 while (!signals.token().stop_requested())
                     std::this_thread::sleep_for(1ms);
                 _exit(signals.received() == SIGTERM && signals.token().stop_requested() ? 7 : 1);
             }),
             7);
}

void TestStopSignals::secondSignalEnds()
{
    QCOMPARE(endOf([] {
                 StopSignals signals;
                 raiseHere(SIGINT);
                 while (signals.received() == 0)
                     std::this_thread::sleep_for(1ms);
                 raiseHere(SIGINT);
                 hang();
             }),
             130);
}

void TestStopSignals::graceEnds()
{
    const QTemporaryDir folder;
    const std::filesystem::path own = folder.filePath(QStringLiteral("part")).toStdString();
    QCOMPARE(endOf([&own] {
                 StopSignals signals({50ms, 50ms});
                 const TemporaryPath part(own);
                 std::filesystem::create_directory(own);
                 if (!std::filesystem::exists(own))
                     _exit(1);
                 raiseHere(SIGTERM);
                 hang();
             }),
             143);
    QVERIFY(!std::filesystem::exists(own)); // the clean-up ran
}

void TestStopSignals::workThatHeardIsGivenTime()
{
    QCOMPARE(endOf([] {
                 StopSignals signals({30ms, 240s});
                 const JobContext job(signals.token(), {}, &signals.heard());
                 // Heard at once, on the thread of the watcher: however late this thread comes to run.
                 const std::stop_callback hears(signals.token(), [&job] { static_cast<void>(job.stopRequested()); });
                 raiseHere(SIGTERM);
                 while (!job.stopRequested())
                     std::this_thread::sleep_for(1ms);
                 std::this_thread::sleep_for(300ms); // keeps its state, ten times as long as a hung one may
                 _exit(7);
             }),
             7);
    QCOMPARE(endOf([] {
                 StopSignals signals({240s, 30ms});
                 const JobContext job(signals.token(), {}, &signals.heard());
                 raiseHere(SIGTERM);
                 while (!job.stopRequested())
                     std::this_thread::sleep_for(1ms);
                 hang();
             }),
             143);
}

void TestStopSignals::hangupAsks()
{
    QCOMPARE(endOf([] {
                 StopSignals signals;
                 raiseHere(SIGHUP);
                 while (!signals.token().stop_requested())
                     std::this_thread::sleep_for(1ms);
                 _exit(signals.received() == SIGHUP ? 7 : 1);
             }),
             7);
}

void TestStopSignals::ignoredHangupStaysIgnored()
{
    QCOMPARE(endOf([] {
                 std::signal(SIGHUP, SIG_IGN); // nohup
                 StopSignals signals;
                 raiseHere(SIGHUP);
                 std::this_thread::sleep_for(100ms);
                 _exit(signals.received() == 0 ? 7 : 1);
             }),
             7);
}

void TestStopSignals::partFilesGoWithIt()
{
    const QTemporaryDir folder;
    const std::filesystem::path target = folder.filePath(QStringLiteral("map.h5")).toStdString();
    QCOMPARE(endOf([&target] {
                 StopSignals signals({50ms, 50ms});
                 auto output = OutputFile::create(target);
                 if (!output || !output->write("half"))
                     _exit(1);
                 raiseHere(SIGTERM);
                 hang();
             }),
             143);
    QVERIFY(std::filesystem::is_empty(folder.path().toStdString()));
}

void TestStopSignals::restoresWhatStood()
{
    QCOMPARE(endOf([] {
                 {
                     const StopSignals signals;
                 }
                 raiseHere(SIGTERM);
                 hang();
             }),
             1000 + SIGTERM);
}

void TestStopSignals::closedReaderIsNotTheEnd()
{
    QCOMPARE(endOf([] {
                 const StopSignals signals;
                 std::array<int, 2> ends = {-1, -1};
                 if (pipe(ends.data()) != 0)
                     _exit(1);
                 close(ends[0]);
                 _exit(write(ends[1], "x", 1) == -1 && errno == EPIPE ? 9 : 2);
             }),
             9);
}

HEADSCOPE_TEST_GUILESS(TestStopSignals)
#include "tst_stop_signals.moc"
