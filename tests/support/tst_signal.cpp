// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/process.h"
#include "tests/support/test_program.h"

#include <QProcess>

#include <unistd.h>

#include <csignal>

using namespace headscope;

class TestSignal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reachesAProgram()
    {
        QProcess program;
        program.start(QStringLiteral("sleep"), {QStringLiteral("100000")});
        QVERIFY(program.waitForStarted(test::kPatienceMs));
        QVERIFY(test::signal(program, 0));
        QVERIFY(test::signal(program, SIGTERM));
        QVERIFY(program.waitForFinished(test::kPatienceMs));
        QCOMPARE(program.exitStatus(), QProcess::CrashExit);
    }

    /// Its id reads 0, and kill(0, n) would end the test run.
    void refusesAProgramThatHasEnded()
    {
        QProcess program;
        QTest::ignoreMessage(QtWarningMsg, "Signal 15 was not sent: 0 is no process that a test started; it has ended, "
                                           "or never began.");
        QVERIFY(!test::signal(program, SIGTERM));
        program.start(QStringLiteral("true"), QStringList());
        QVERIFY(program.waitForFinished(test::kPatienceMs));
        QTest::ignoreMessage(QtWarningMsg, "Signal 9 was not sent: 0 is no process that a test started; it has ended, "
                                           "or never began.");
        QVERIFY(!test::signal(program, SIGKILL));
    }

    void refusesGroupsAndTheFirstProcess()
    {
        for (const pid_t process : {pid_t{1}, pid_t{0}, pid_t{-1}, -::getpid()})
        {
            const std::string sentence = "Signal 0 was not sent: " + std::to_string(process) +
                                         " is no process that a test started; it has ended, or never began.";
            QTest::ignoreMessage(QtWarningMsg, sentence.c_str());
            QVERIFY(!test::signal(process, 0));
        }
    }

    /// So that what a test does to its group is done to nobody else (own_group_selftest.cmake has ctest's side).
    void testsHaveAGroupOfTheirOwn() { QCOMPARE(::getpgrp(), ::getpid()); }
};

HEADSCOPE_TEST_GUILESS(TestSignal)
#include "tst_signal.moc"
