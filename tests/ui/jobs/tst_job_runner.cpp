// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_runner.h"

#include "tests/support/test_program.h"
#include "ui/jobs/pause_gate.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QThread>
#include <QtTest>

#include <pthread.h>

#include <atomic>
#include <memory>
#include <stdexcept>

using namespace headscope;
using headscope::ui::JobRunner;

namespace
{

/// A job that works until it is asked to stop.
Result<int> untilStopped(JobContext& job)
{
    while (!job.stopRequested())
        QThread::msleep(1);
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
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(value, 42);
        QCOMPARE(receiver, thread());
        QVERIFY(worker != thread());
        QVERIFY(!runner.running());
        QTRY_VERIFY(!runner.busy());
    }

    void newestRequestWins()
    {
        JobRunner runner;
        std::vector<int> delivered;
        const auto take = [&delivered](Result<int> result) { delivered.push_back(result ? *result : -1); };
        runner.start<int>(untilStopped, take);
        runner.start<int>(untilStopped, take);
        runner.start<int>([](JobContext&) -> Result<int> { return 3; }, take);
        QTRY_VERIFY(!runner.busy());
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
                    QThread::msleep(1);
                }
                return 1;
            },
            [&delivered](const Result<int>&) { delivered = true; });
        QTRY_VERIFY(progressed.count() > 2);
        runner.cancel();
        const auto reports = progressed.count();
        QCOMPARE(cancelled.count(), 1);
        QVERIFY(!runner.running());
        QTRY_VERIFY(!runner.busy());
        QVERIFY(!delivered);
        QCOMPARE(progressed.count(), reports);
    }

    void stopDeliversWhatThereIs()
    {
        JobRunner runner;
        int value = 0;
        runner.start<int>(
            [](JobContext& job) -> Result<int> {
                while (!job.stopRequested())
                    QThread::msleep(1);
                return 7;
            },
            [&value](Result<int> result) { value = result.value(); });
        runner.requestStop();
        QTRY_COMPARE(value, 7);
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
        QTRY_VERIFY(error.has_value());
        QCOMPARE(int(error->code), code);
        QVERIFY(QString::fromStdString(error->message).contains(words));
    }

    void destroyedWhileRunning()
    {
        std::atomic<bool> ended = false;
        bool delivered = false;
        {
            JobRunner runner;
            runner.start<int>(
                [&ended](JobContext& job) -> Result<int> {
                    auto result = untilStopped(job);
                    ended = true;
                    return result;
                },
                [&delivered](const Result<int>&) { delivered = true; });
            QTest::qWait(5);
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
        runner.start<int>(
            [](JobContext& job) -> Result<int> {
                for (std::uint64_t i = 0; i < 100'000; ++i)
                    job.report("counting", i, 0);
                return 0;
            },
            [&done](const Result<int>&) { done = true; });
        QThread::msleep(50); // the GUI is busy; the worker floods
        QTRY_VERIFY(done);
        QVERIFY2(progressed.count() < 5000, qPrintable(QString::number(progressed.count())));
    }

    void manyRandomCancelsLeaveNothing()
    {
        JobRunner runner;
        int delivered = 0;
        for (int round = 0; round < 300; ++round)
        {
            runner.start<int>(untilStopped, [&delivered](const Result<int>&) { ++delivered; });
            if (round % 3 == 0)
                runner.cancel();
            if (round % 7 == 0)
                QTest::qWait(1);
        }
        runner.cancel();
        QTRY_VERIFY(!runner.busy());
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
        QTRY_COMPARE(idle.count(), 1);
        QVERIFY2(said.contains(QStringLiteral("gives no thread")), qPrintable(said));
        QCOMPARE(failed.count(), 1);
        QVERIFY(!runner->running() && !runner->busy());
        // With threads again the same runner works.
        pthread_setattr_default_np(&before);
        runner->start<int>([](JobContext&) -> Result<int> { return 1; }, count);
        QTRY_COMPARE(said, QStringLiteral("done"));
        pthread_setattr_default_np(&huge);
        runner = std::make_unique<JobRunner>();
        runner->start<int>([](JobContext&) -> Result<int> { return 1; }, count);
        runner.reset(); // does not wait for a thread that never was
    }

    void pausedWorkerLeavesOnStop()
    {
        ui::PauseGate gate;
        gate.setPaused(true);
        JobRunner runner;
        bool ended = false;
        runner.start<int>(
            [&gate](JobContext& job) -> Result<int> {
                gate.wait(job.stopToken());
                return 1;
            },
            [&ended](const Result<int>&) { ended = true; });
        QTest::qWait(20);
        QVERIFY(!ended);
        runner.requestStop();
        QTRY_VERIFY(ended);
        ended = false;
        runner.start<int>(
            [&gate](JobContext& job) -> Result<int> {
                gate.wait(job.stopToken());
                return 1;
            },
            [&ended](const Result<int>&) { ended = true; });
        gate.setPaused(false);
        QTRY_VERIFY(ended);
    }
};

HEADSCOPE_TEST_GUILESS(TestJobRunner)
#include "tst_job_runner.moc"
