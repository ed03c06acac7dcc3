// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_runner.h"

#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/jobs/pause_gate.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <pthread.h>

#include <atomic>
#include <latch>
#include <memory>
#include <stdexcept>

using namespace headscope;
using headscope::ui::JobRunner;

namespace
{

/// A job that works until it is asked to stop.
Result<int> untilStopped(JobContext& job)
{
    ui::PauseGate gate;
    gate.setPaused(true);
    gate.wait(job.stopToken());
    return JobContext::cancelled();
}

} // namespace

class TestJobRunner : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void deliversOnTheGuiThread()
    {
        JobRunner runner;
        QThread* worker = nullptr;
        QThread* receiver = nullptr;
        int value = 0;
        const QSignalSpy finished(&runner, &JobRunner::finished);
        runner.start<int>(
            [&worker](JobContext&) -> Result<int> {
                worker = QThread::currentThread();
                return 42;
            },
            [&receiver, &value](Result<int> result) {
                receiver = QThread::currentThread();
                value = result.value();
            });
        QVERIFY(runner.running());
        WAIT_COMPARE(finished.count(), 1);
        QCOMPARE(value, 42);
        QCOMPARE(receiver, thread());
        QVERIFY(worker != thread());
        QVERIFY(!runner.running());
        WAIT_FOR(!runner.busy());
    }

    void newestRequestWins()
    {
        JobRunner runner;
        std::vector<int> delivered;
        const auto take = [&delivered](Result<int> result) { delivered.push_back(result ? *result : -1); };
        runner.start<int>(untilStopped, take);
        runner.start<int>(untilStopped, take);
        runner.start<int>([](JobContext&) -> Result<int> { return 3; }, take);
        WAIT_FOR(!runner.busy());
        QCOMPARE(delivered, std::vector<int>{3});
    }

    void cancelledJobStaysSilent()
    {
        JobRunner runner;
        bool delivered = false;
        const QSignalSpy cancelled(&runner, &JobRunner::cancelled);
        const QSignalSpy progressed(&runner, &JobRunner::progressed);
        runner.start<int>(
            [](JobContext& job) -> Result<int> {
                for (std::uint64_t i = 0; !job.stopRequested(); ++i)
                {
                    job.report("counting", i, 0);
                    QThread::yieldCurrentThread();
                }
                return 1;
            },
            [&delivered](const Result<int>&) { delivered = true; });
        WAIT_FOR(progressed.count() > 2);
        runner.cancel();
        const auto reports = progressed.count();
        QCOMPARE(cancelled.count(), 1);
        QVERIFY(!runner.running());
        WAIT_FOR(!runner.busy());
        QVERIFY(!delivered);
        QCOMPARE(progressed.count(), reports);
    }

    void stopDeliversWhatThereIs()
    {
        JobRunner runner;
        int value = 0;
        runner.start<int>(
            [](JobContext& job) -> Result<int> {
                static_cast<void>(untilStopped(job));
                return 7;
            },
            [&value](Result<int> result) { value = result.value(); });
        runner.requestStop();
        WAIT_COMPARE(value, 7);
    }

    void thrownBecomesAnError_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words");
        QTest::newRow("exception") << 0 << int(ErrorCode::Internal) << QStringLiteral("boom");
        QTest::newRow("memory") << 1 << int(ErrorCode::OutOfMemory) << QStringLiteral("memory");
        QTest::newRow("anything") << 2 << int(ErrorCode::Internal) << QStringLiteral("unknown");
    }
    void thrownBecomesAnError()
    {
        QFETCH(int, kind);
        QFETCH(int, code);
        QFETCH(QString, words);
        JobRunner runner;
        std::optional<Error> error;
        runner.start<int>(
            [kind](JobContext&) -> Result<int> {
                if (kind == 0)
                    throw std::runtime_error("boom");
                if (kind == 1)
                    throw std::bad_alloc();
                throw 5;
            },
            [&error](const Result<int>& result) { error = result.error(); });
        WAIT_FOR(error.has_value());
        QCOMPARE(int(error->code), code);
        QVERIFY(QString::fromStdString(error->message).contains(words));
    }

    void destroyedWhileRunning()
    {
        std::atomic<bool> begun = false;
        std::atomic<bool> ended = false;
        bool delivered = false;
        {
            JobRunner runner;
            runner.start<int>(
                [&begun, &ended](JobContext& job) -> Result<int> {
                    begun = true;
                    auto result = untilStopped(job);
                    ended = true;
                    return result;
                },
                [&delivered](const Result<int>&) { delivered = true; });
            WAIT_FOR(begun.load());
        }
        QVERIFY(ended);
        QCoreApplication::sendPostedEvents();
        QVERIFY(!delivered);
    }

    void progressIsCoalesced()
    {
        JobRunner runner;
        QSignalSpy progressed(&runner, &JobRunner::progressed);
        bool done = false;
        std::latch flooded(2);
        runner.start<int>(
            [&flooded](JobContext& job) -> Result<int> {
                for (std::uint64_t i = 0; i < 100'000; ++i)
                    job.report("counting", i, 0);
                flooded.arrive_and_wait();
                return 0;
            },
            [&done](const Result<int>&) { done = true; });
        flooded.arrive_and_wait(); // the GUI is busy all the while
        WAIT_FOR(done);
        QCOMPARE(progressed.count(), 1); // the newest
        QCOMPARE(progressed.at(0).at(0).value<Progress>().done, std::uint64_t{99'999});
    }

    void manyRandomCancelsLeaveNothing()
    {
        JobRunner runner;
        int delivered = 0;
        std::atomic<int> begun = 0;
        for (int round = 0; round < 300; ++round)
        {
            const int before = begun;
            runner.start<int>(
                [&begun](JobContext& job) -> Result<int> {
                    ++begun;
                    return untilStopped(job);
                },
                [&delivered](const Result<int>&) { ++delivered; });
            if (round % 3 == 0)
                runner.cancel();
            if (round % 7 == 0) // it, or one of those before it, is at work
                WAIT_FOR(begun > before || !runner.busy());
        }
        runner.cancel();
        WAIT_FOR(!runner.busy());
        QCOMPARE(delivered, 0);
    }

    void aSystemWithoutThreadsIsAnErrorAndNoWait()
    {
        pthread_attr_t before;
        QCOMPARE(pthread_getattr_default_np(&before), 0);
        pthread_attr_t huge = before;
        QCOMPARE(pthread_attr_setstacksize(&huge, std::size_t{1} << 46), 0); // no system has as much
        QCOMPARE(pthread_setattr_default_np(&huge), 0);
        const auto back = qScopeGuard([&before] { pthread_setattr_default_np(&before); });
        auto runner = std::make_unique<JobRunner>();
        QSignalSpy failed(runner.get(), &JobRunner::failed);
        QSignalSpy idle(runner.get(), &JobRunner::idle);
        QString said;
        const auto count = [&said](Result<int> done) {
            said = done ? QStringLiteral("done") : QString::fromStdString(done.error().message);
        };
        runner->start<int>([](JobContext&) -> Result<int> { return 1; }, count);
        QVERIFY(runner->running() && runner->busy());
        WAIT_COMPARE(idle.count(), 1);
        QVERIFY2(said.contains(QStringLiteral("no thread could be started")), qPrintable(said));
        QCOMPARE(failed.count(), 1);
        QVERIFY(!runner->running() && !runner->busy());
        // With threads again the same runner works.
        pthread_setattr_default_np(&before);
        runner->start<int>([](JobContext&) -> Result<int> { return 1; }, count);
        WAIT_COMPARE(said, QStringLiteral("done"));
        pthread_setattr_default_np(&huge);
        runner = std::make_unique<JobRunner>();
        runner->start<int>([](JobContext&) -> Result<int> { return 1; }, count);
        runner.reset(); // does not wait for a thread that never was
    }

    void pausedWorkerLeavesOnStop()
    {
        ui::PauseGate gate;
        gate.setPaused(true);
        QVERIFY(!gate.holds());
        JobRunner runner;
        bool ended = false;
        runner.start<int>(
            [&gate](JobContext& job) -> Result<int> {
                gate.wait(job.stopToken());
                return 1;
            },
            [&ended](const Result<int>&) { ended = true; });
        WAIT_FOR(gate.holds());
        test::settle();
        QVERIFY(!ended);
        runner.requestStop();
        WAIT_FOR(ended);
        QVERIFY(!gate.holds());
        ended = false;
        runner.start<int>(
            [&gate](JobContext& job) -> Result<int> {
                gate.wait(job.stopToken());
                return 1;
            },
            [&ended](const Result<int>&) { ended = true; });
        gate.setPaused(false);
        WAIT_FOR(ended);
    }
};

HEADSCOPE_TEST_GUILESS(TestJobRunner)
#include "tst_job_runner.moc"
