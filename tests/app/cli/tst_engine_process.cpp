// SPDX-License-Identifier: GPL-3.0-or-later
// One engine process for every caller: what it is given, what is read while it runs, what is kept, how it ends.
#include "app/cli/engine_process.h"
#include "app/cli/run_engine.h"
#include "tests/support/process.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <stop_token>
#include <string>

using namespace headscope;
using cli::EngineLines;
using cli::EngineProcess;

/// The engine is played by small shell scripts.
class TestEngineProcess : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_scripts = 0;

    std::filesystem::path script(const QByteArray& body)
    {
        const QString path = m_folder.filePath(QStringLiteral("engine%1.sh").arg(++m_scripts));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write("#!/bin/sh\n" + body);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path.toStdString();
    }

private Q_SLOTS:
    void everythingIsKept()
    {
        auto process = EngineProcess::start(script("read -r line; echo \"out $line $1\"; echo 'headscope: first' >&2\n"
                                                   "echo 'headscope-engine: last words' >&2; exit 3\n"),
                                            {"verb"}, EngineLines::None, "given\n");
        HEADSCOPE_VERIFY_OK(process);
        const int status = process->ending();
        QCOMPARE(WEXITSTATUS(status), 3);
        QCOMPARE(process->output(), std::string("out given verb\n"));
        QCOMPARE(process->lastWords(), std::string("last words"));
        QCOMPARE(cli::endingText(status), std::string("stopped with exit code 3"));
    }

    void linesOfTheOutputAnswerWhatIsWritten()
    {
        auto process = EngineProcess::start(script("while read -r line; do echo \"got $line\"; done; printf cut\n"),
                                            {"serve"}, EngineLines::Output);
        HEADSCOPE_VERIFY_OK(process);
        process->write("a\n");
        QCOMPARE(process->readLine(), std::optional<std::string>("got a"));
        process->write("b\n");
        QCOMPARE(process->readLine(), std::optional<std::string>("got b"));
        process->end(std::chrono::seconds(5));
        QVERIFY(!process->readLine());
    }

    void linesInPiecesArriveWhole()
    {
        auto process = EngineProcess::start(script("printf 'o'; sleep 0.1; printf 'ne\\ntw'; sleep 0.1; echo o\n"), {},
                                            EngineLines::Output);
        HEADSCOPE_VERIFY_OK(process);
        QCOMPARE(process->readLine(), std::optional<std::string>("one"));
        QCOMPARE(process->readLine(), std::optional<std::string>("two"));
        QVERIFY(!process->readLine());
        QCOMPARE(process->ending(), 0);
    }

    void lastLinesAreKept()
    {
        auto process = EngineProcess::start(
            script("for i in 1 2 3; do echo \"headscope: line $i\" >&2; done; echo >&2\n"), {}, EngineLines::Output);
        HEADSCOPE_VERIFY_OK(process);
        QVERIFY(!process->readLine());
        QCOMPARE(process->ending(), 0);
        QCOMPARE(process->lastWords(), std::string("line 3"));
        QCOMPARE(process->lastWords(2), std::string("line 2 / line 3"));
        QCOMPARE(process->lastWords(9), std::string("line 1 / line 2 / line 3"));
    }

    void aStoppedJobAsksItToEnd()
    {
        std::stop_source stop;
        stop.request_stop();
        JobContext job(stop.get_token());
        auto process = EngineProcess::start(script("exec sleep 20\n"), {}, EngineLines::None);
        HEADSCOPE_VERIFY_OK(process);
        QCOMPARE(cli::endingText(process->ending(job)), std::string("was stopped by SIGTERM (a request to stop)"));
    }

    void oneThatIsDroppedIsKilled()
    {
        pid_t id = 0;
        {
            auto process =
                EngineProcess::start(script("trap '' TERM\nwhile :; do sleep 0.05; done\n"), {}, EngineLines::None);
            HEADSCOPE_VERIFY_OK(process);
            id = process->id();
            QVERIFY(test::signal(id, 0));
        }
        QVERIFY(!test::signal(id, 0));
    }

    void signalsHaveNames()
    {
        QCOMPARE(cli::endingText(SIGSEGV), std::string("was stopped by SIGSEGV (invalid memory access)"));
        QCOMPARE(cli::endingText(SIGKILL),
                 std::string("was stopped by SIGKILL (killed, often because memory ran out)"));
        QCOMPARE(cli::endingText(SIGUSR1), "was stopped by signal " + std::to_string(SIGUSR1));
    }

    void oneThatIsNotThere()
    {
        HEADSCOPE_VERIFY_ERROR(EngineProcess::start("/nowhere/headscope-engine", {"extract"}, EngineLines::Output),
                               ErrorCode::Resource, "install the package headscope-engine");
        JobContext job;
        HEADSCOPE_VERIFY_ERROR(cli::runEngine("/nowhere/headscope-engine", {"extract"}, {}, job), ErrorCode::Resource,
                               "install the package headscope-engine");
    }

    void foundInTheSearchPath()
    {
        QFile::copy(QString::fromStdString(script("exit 0\n").string()),
                    m_folder.filePath(QStringLiteral("headscope-engine")));
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", m_folder.path().toLocal8Bit() + ":" + before);
        const auto found = cli::enginePath();
        qputenv("PATH", before);
        QCOMPARE(found, std::filesystem::path(m_folder.filePath(QStringLiteral("headscope-engine")).toStdString()));
    }
};

HEADSCOPE_TEST_GUILESS(TestEngineProcess)
#include "tst_engine_process.moc"
