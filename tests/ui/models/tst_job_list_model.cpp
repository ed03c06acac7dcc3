// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/models/job_list_model.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace headscope;
using namespace headscope::ui;

class TestJobListModel : public QObject
{
    Q_OBJECT

private:
    static QString cell(const JobListModel& model, int row, int column)
    {
        return model.index(row, column).data().toString();
    }
    static Progress progressOf(std::uint64_t done, std::uint64_t total)
    {
        Progress progress;
        progress.stage = "t-SNE";
        progress.done = done;
        progress.total = total;
        progress.unit = "iterations";
        progress.rate = 31;
        progress.eta = 9;
        return progress;
    }

private Q_SLOTS:
    void newestStandsFirst()
    {
        JobListModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto first = model.begin(QStringLiteral("First"));
        const auto second = model.begin(QStringLiteral("Second"));
        QVERIFY(first != second);
        QCOMPARE(cell(model, 0, JobListModel::Title), QStringLiteral("Second"));
        QCOMPARE(cell(model, 1, JobListModel::Title), QStringLiteral("First"));
        QCOMPARE(model.indexOf(first).row(), 1);
        QCOMPARE(model.activeCount(), 2);
        QVERIFY(model.job(12345) == nullptr);
        for (int column = 0; column < model.columnCount(); ++column)
            QVERIFY(!model.headerData(column, Qt::Horizontal).toString().isEmpty());
    }

    void progressIsWorded()
    {
        JobListModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto id = model.begin(QStringLiteral("Map"), true);
        QCOMPARE(model.index(0, JobListModel::Done).data(JobListModel::ShareRole).toDouble(), -1.0);
        model.setProgress(id, progressOf(480, 1200));
        QCOMPARE(cell(model, 0, JobListModel::Done), QStringLiteral("480 / 1,200 iterations"));
        QCOMPARE(model.index(0, JobListModel::Done).data(JobListModel::ShareRole).toDouble(), 0.4);
        QVERIFY(cell(model, 0, JobListModel::Rate).contains(QStringLiteral("31")));
        QCOMPARE(cell(model, 0, JobListModel::TimeLeft), QStringLiteral("9 s"));
        model.setProgress(id, progressOf(490, 1200));
        QCOMPARE(model.job(id)->log, QStringList{QStringLiteral("t-SNE")});
        // Nobody knows how long a paused job takes.
        model.setState(id, JobState::Paused);
        QCOMPARE(cell(model, 0, JobListModel::State), QStringLiteral("Paused"));
        QVERIFY(cell(model, 0, JobListModel::TimeLeft).isEmpty());
    }

    void anEndedJobStaysAsItEnded()
    {
        JobListModel model;
        QSignalSpy ended(&model, &JobListModel::ended);
        const auto id = model.begin(QStringLiteral("Probe"));
        model.end(id, JobState::Failed, QStringLiteral("x.h5: no head vectors"));
        QCOMPARE(ended.count(), 1);
        QCOMPARE(ended.at(0).at(0).value<JobRecord>().error, QStringLiteral("x.h5: no head vectors"));
        model.end(id, JobState::Done);
        model.setState(id, JobState::Running);
        model.setProgress(id, progressOf(1, 2));
        QCOMPARE(ended.count(), 1);
        QCOMPARE(model.job(id)->state, JobState::Failed);
        QCOMPARE(model.job(id)->progress.total, std::uint64_t(0));
        const double seconds = JobListModel::elapsed(*model.job(id));
        QElapsedTimer clock;
        clock.start();
        WAIT_FOR(clock.elapsed() >= 20); // the clock that it would go by
        QCOMPARE(JobListModel::elapsed(*model.job(id)), seconds);
    }

    /// A job that is done shows what it made, not how far its last phase counted.
    void doneIsFullAndSaysWhatWasMade()
    {
        JobListModel model;
        const auto id = model.begin(QStringLiteral("Opening x.h5"));
        Progress progress;
        progress.stage = "reading";
        progress.done = 8;
        progress.total = 9;
        progress.unit = "stages";
        model.setProgress(id, progress);
        QCOMPARE(cell(model, 0, JobListModel::Done), QStringLiteral("8 / 9 stages"));
        QVERIFY(JobListModel::summary(*model.job(id)).startsWith(QStringLiteral("Running · started ")));
        model.setResult(id, QStringLiteral("192 documents"));
        model.end(id, JobState::Done);
        QCOMPARE(cell(model, 0, JobListModel::Done), QStringLiteral("192 documents"));
        QCOMPARE(model.index(0, JobListModel::Done).data(JobListModel::ShareRole).toDouble(), 1.0);
        const QString summary = JobListModel::summary(*model.job(id));
        for (const char* part : {"Done", "started ", "finished ", "took < 0.1 s", "192 documents"})
            QVERIFY2(summary.contains(QLatin1StringView(part)), qPrintable(summary));
        // One that was stopped stays where it stood, and nothing was made.
        const auto stopped = model.begin(QStringLiteral("b"));
        model.setProgress(stopped, progress);
        model.end(stopped, JobState::Cancelled);
        QCOMPARE(cell(model, 0, JobListModel::Done), QStringLiteral("8 / 9 stages"));
        // And one that made nothing to speak of says nothing.
        const auto quiet = model.begin(QStringLiteral("c"));
        model.setProgress(quiet, progress);
        model.end(quiet, JobState::Done);
        QCOMPARE(cell(model, 0, JobListModel::Done), QString());
    }

    void finishedJobsCanBeCleared()
    {
        JobListModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto one = model.begin(QStringLiteral("1"));
        const auto two = model.begin(QStringLiteral("2"));
        const auto three = model.begin(QStringLiteral("3"));
        model.end(one, JobState::Done);
        model.end(three, JobState::Cancelled);
        QCOMPARE(model.endedCount(), 2);
        model.clearEnded();
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(model.job(two) != nullptr);
        QVERIFY(model.job(one) == nullptr);
    }

    void onlyTheNewestEndedJobsAndLinesAreKept()
    {
        JobListModel model;
        const auto running = model.begin(QStringLiteral("long"));
        for (int i = 0; i < 250; ++i)
            model.end(model.begin(QString::number(i)), JobState::Done);
        QCOMPARE(model.rowCount(), 201);
        QVERIFY(model.job(running) != nullptr);
        QCOMPARE(cell(model, 0, JobListModel::Title), QStringLiteral("249"));
        for (int i = 0; i < 600; ++i)
            model.addLog(running, QStringLiteral("line %1").arg(i));
        QCOMPARE(model.job(running)->log.size(), 500);
        QCOMPARE(model.job(running)->logged, std::int64_t(600));
        QCOMPARE(model.job(running)->log.constFirst(), QStringLiteral("line 100"));
    }
};

HEADSCOPE_TEST_GUILESS(TestJobListModel)
#include "tst_job_list_model.moc"
