// SPDX-License-Identifier: GPL-3.0-or-later
// No test of its own: what own_group_selftest.cmake has a ctest run.
#include "tests/support/send_signal.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QProcess>

#include <unistd.h>

#include <csignal>

using namespace headscope;

class KillsItsGroup : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendsToAll()
    {
        // As kill(0, n) does, but only where the group is that of this test.
        QCOMPARE(::getpgrp(), ::getpid());
        QVERIFY(test::sendToGroup(::getpgrp(), SIGTERM));
    }

    void hangsWithAChild()
    {
        QProcess child;
        child.start(QStringLiteral("sleep"), {QStringLiteral("100000")});
        QVERIFY(child.waitForStarted(-1));
        QFile note(qEnvironmentVariable("HEADSCOPE_CHILD_NOTE"));
        QVERIFY(note.open(QIODevice::WriteOnly));
        note.write(QByteArray::number(child.processId()));
        note.close();
        child.waitForFinished(-1);
    }
};

HEADSCOPE_TEST_GUILESS(KillsItsGroup)
#include "kills_its_group.moc"
