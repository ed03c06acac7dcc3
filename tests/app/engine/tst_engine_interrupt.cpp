// SPDX-License-Identifier: GPL-3.0-or-later
// Interrupts the engine while it computes. A signal handler that ran on a computing thread once wrote
// its frame over the heap, because matrix kernels use the stack pointer as they please: it showed in
// about half of the runs, and only with a model large enough to be computing when the signal came.
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>

#include <csignal>

using namespace headscope::test;

class TestEngineInterrupt : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsCleanlyWhileItComputes_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<int>("afterMs");
        for (const int extra : {0, 37, 71})
        {
            QTest::addRow("interrupt after %d", extra) << SIGINT << 130 << extra;
            QTest::addRow("terminate after %d", extra) << SIGTERM << 143 << extra;
        }
    }

    void endsCleanlyWhileItComputes()
    {
        const QString model = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
        if (model.isEmpty() || !QFileInfo::exists(model))
            QSKIP("the demo model is not here (packaging/fetch_model.sh fetches it)");
        QFETCH(int, signal);
        QFETCH(int, exitCode);
        QFETCH(int, afterMs);
        const QTemporaryDir folder;
        QProcess engine;
        engine.start(QString::fromStdString(program("headscope-engine").string()),
                     {QStringLiteral("extract"), model,
                      QString::fromStdString(source("resources/demo/corpus.jsonl").string()), QStringLiteral("-o"),
                      folder.filePath(QStringLiteral("c.h5")), QStringLiteral("--progress"), QStringLiteral("json")});
        QVERIFY(engine.waitForStarted(kPatienceMs));
        engine.setReadChannel(QProcess::StandardError);
        QByteArray progress; // past loading and reading: the network itself must be at work
        while (!progress.contains("extracting") && engine.waitForReadyRead(kPatienceMs))
            progress += engine.readAll();
        QVERIFY2(progress.contains("extracting"), progress.constData());
        QTest::qWait(100 + afterMs);
        QVERIFY(headscope::test::signal(engine, signal));
        QVERIFY(engine.waitForFinished(kPatienceMs));
        const QByteArray rest = engine.readAllStandardError();
        QVERIFY2(engine.exitStatus() == QProcess::NormalExit, rest.constData());
        QVERIFY2(engine.exitCode() == exitCode, rest.constData());
        // Its parts, where a document was done, and nothing else.
        const QStringList left = QDir(folder.path()).entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::Hidden);
        QVERIFY2(left.isEmpty() || left == QStringList{QStringLiteral("c.h5.shards")},
                 qPrintable(left.join(QLatin1Char(' '))));
    }
};

HEADSCOPE_TEST_GUILESS(TestEngineInterrupt)
#include "tst_engine_interrupt.moc"
