// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/extract/engine_client.h"
#include "tests/support/process.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace headscope;
using headscope::desktop::EngineClient;

/// The engine is played by small shell scripts.
class TestEngineClient : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString script(const QByteArray& body)
    {
        const QString path = m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction()) +
                                               QString::number(m_folder.path().size()));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write("#!/bin/sh\n" + body);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path;
    }

    static Error errorOf(const QSignalSpy& failed) { return failed.at(0).at(0).value<Error>(); }

private Q_SLOTS:
    void resultAndProgress()
    {
        EngineClient engine(script("echo '{\"stage\": \"documents\", \"done\": 1, \"total\": 4, \"unit\": "
                                   "\"documents\", \"rate\": 2.5, \"seconds\": 0.4, \"eta\": 1.2}' >&2\n"
                                   "echo 'a word for the log' >&2\n"
                                   "echo \"{\\\"documents\\\": 4, \\\"arguments\\\": \\\"$*\\\"}\"\n"));
        QSignalSpy progressed(&engine, &EngineClient::progressed);
        QSignalSpy log(&engine, &EngineClient::logLine);
        QSignalSpy finished(&engine, &EngineClient::finished);
        engine.start(QStringLiteral("extract"), {QStringLiteral("m.gguf")});
        QVERIFY(engine.running());
        WAIT_COMPARE(finished.count(), 1);
        const auto result = finished.at(0).at(0).toJsonObject();
        QCOMPARE(result.value(u"documents").toInt(), 4);
        QCOMPARE(result.value(u"arguments").toString(), QStringLiteral("extract m.gguf --json --progress json"));
        QCOMPARE(progressed.count(), 1);
        const auto progress = progressed.at(0).at(0).value<Progress>();
        QCOMPARE(progress.stage, std::string("documents"));
        QCOMPARE(progress.total, std::uint64_t(4));
        QCOMPARE(progress.eta, 1.2);
        QCOMPARE(log.count(), 1);
        QVERIFY(!engine.running());
    }

    void errorObjectBecomesTheError()
    {
        EngineClient engine(script("echo '{\"error\": {\"code\": \"bad_format\", \"message\": \"expected A, found B\", "
                                   "\"file\": \"x.gguf\", \"place\": \"header\"}}'\n"
                                   "exit 3\n"));
        QSignalSpy failed(&engine, &EngineClient::failed);
        engine.start(QStringLiteral("extract"), {});
        WAIT_COMPARE(failed.count(), 1);
        QCOMPARE(errorOf(failed).code, ErrorCode::BadFormat);
        QCOMPARE(errorOf(failed).sentence(), std::string("x.gguf: header: expected A, found B"));
    }

    void killedEngineIsTold_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<QString>("name");
        QTest::newRow("9") << SIGKILL << QStringLiteral("SIGKILL");
        QTest::newRow("11") << SIGSEGV << QStringLiteral("SIGSEGV");
        QTest::newRow("6") << SIGABRT << QStringLiteral("SIGABRT");
    }
    void killedEngineIsTold()
    {
        QFETCH(int, number);
        QFETCH(QString, name);
        EngineClient engine(script("echo 'reading layer 12' >&2\nexec sleep 20\n"));
        QSignalSpy failed(&engine, &EngineClient::failed);
        QSignalSpy log(&engine, &EngineClient::logLine);
        engine.start(QStringLiteral("extract"), {});
        WAIT_COMPARE(log.count(), 1);
        QVERIFY(test::signal(static_cast<pid_t>(engine.processId()), number));
        WAIT_COMPARE(failed.count(), 1);
        const QString sentence = QString::fromStdString(errorOf(failed).sentence());
        QVERIFY2(sentence.contains(name), qPrintable(sentence));
        QVERIFY2(sentence.contains(QStringLiteral("reading layer 12")), qPrintable(sentence));
    }

    void failureWithoutAReason()
    {
        EngineClient engine(script("echo 'not json'; echo 'last words' >&2; exit 70\n"));
        QSignalSpy failed(&engine, &EngineClient::failed);
        engine.start(QStringLiteral("extract"), {});
        WAIT_COMPARE(failed.count(), 1);
        const QString sentence = QString::fromStdString(errorOf(failed).sentence());
        QVERIFY2(sentence.contains(QStringLiteral("70")) && sentence.contains(QStringLiteral("last words")),
                 qPrintable(sentence));
    }

    /// What failed() brings is not in the log a second time.
    void errorsAreToldOnce()
    {
        EngineClient engine(script("echo 'headscope: note: a word' >&2\necho 'headscope: m: 2 problems' >&2\n"
                                   "echo '  1. this' >&2\necho '  2. that' >&2\n"
                                   "echo '{\"error\": {\"code\": \"bad_format\", \"message\": \"2 problems\", "
                                   "\"file\": \"m\", \"place\": \"\"}}'\nexit 3\n"));
        QSignalSpy failed(&engine, &EngineClient::failed);
        QSignalSpy log(&engine, &EngineClient::logLine);
        engine.start(QStringLiteral("extract"), {});
        WAIT_COMPARE(failed.count(), 1);
        QCOMPARE(errorOf(failed).message, std::string("2 problems"));
        QCOMPARE(log.count(), 1);
        QCOMPARE(log.at(0).at(0).toString(), QStringLiteral("headscope: note: a word"));
    }

    void missingEngine()
    {
        EngineClient engine(QStringLiteral("/nowhere/headscope-engine"));
        QSignalSpy failed(&engine, &EngineClient::failed);
        engine.start(QStringLiteral("extract"), {});
        WAIT_COMPARE(failed.count(), 1);
        QCOMPARE(errorOf(failed).code, ErrorCode::FileNotFound);
        QVERIFY(!engine.running());
    }

    void cancelAsksThenKills_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("obeys") << QByteArray("trap 'exit 143' TERM\necho ready >&2\nwhile :; do sleep 0.05; done\n");
        QTest::newRow("deaf") << QByteArray("trap '' TERM\necho ready >&2\nwhile :; do sleep 0.05; done\n");
    }
    void cancelAsksThenKills()
    {
        QFETCH(QByteArray, body);
        EngineClient engine(script(body));
        QSignalSpy failed(&engine, &EngineClient::failed);
        QSignalSpy log(&engine, &EngineClient::logLine);
        engine.start(QStringLiteral("extract"), {});
        WAIT_COMPARE(log.count(), 1);
        engine.cancel();
        WAIT_COMPARE(failed.count(), 1);
        QCOMPARE(errorOf(failed).code, ErrorCode::Cancelled);
        QVERIFY(!engine.running());
    }

    void longLinesArriveWhole()
    {
        EngineClient engine(script("printf '{\"stage\": \"a\", \"do' >&2; sleep 0.1; printf 'ne\": 3, \"total\": "
                                   "9}\\nhalf' >&2; sleep 0.1; printf ' line' >&2\n"
                                   "echo '{}'\n"));
        QSignalSpy progressed(&engine, &EngineClient::progressed);
        QSignalSpy log(&engine, &EngineClient::logLine);
        QSignalSpy finished(&engine, &EngineClient::finished);
        engine.start(QStringLiteral("extract"), {});
        WAIT_COMPARE(finished.count(), 1);
        QCOMPARE(progressed.count(), 1);
        QCOMPARE(progressed.at(0).at(0).value<Progress>().done, std::uint64_t(3));
        QCOMPARE(log.at(0).at(0).toString(), QStringLiteral("half line"));
    }

    void destroyedWhileRunningLeavesNoProcess()
    {
        qint64 process = 0;
        {
            EngineClient engine(script("echo ready >&2\nexec sleep 20\n"));
            QSignalSpy log(&engine, &EngineClient::logLine);
            engine.start(QStringLiteral("extract"), {});
            WAIT_COMPARE(log.count(), 1);
            process = engine.processId();
        }
        QVERIFY(process > 1);
        QVERIFY(!test::signal(static_cast<pid_t>(process), 0));
    }
};

HEADSCOPE_TEST_GUILESS(TestEngineClient)
#include "tst_desktop_engine_client.moc"
