// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_notifier.h"

#include "tests/support/live_objects.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/settings/settings.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QVariantMap>

using namespace headscope;
using namespace headscope::ui;

/// What a desktop has on its bus, on a bus of our own.
class FakeDesktop : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    QStringList titles;
    QStringList texts;
    QList<uint> replaced;

public Q_SLOTS:
    Q_SCRIPTABLE uint Notify(const QString& /*program*/, uint replaces, const QString& /*icon*/, const QString& title,
                             const QString& text, const QStringList& /*actions*/, const QVariantMap& /*hints*/,
                             int /*timeout*/)
    {
        titles << title;
        texts << text;
        replaced << replaces;
        return 7;
    }

Q_SIGNALS:
    Q_SCRIPTABLE void ActionInvoked(uint id, const QString& action);
};

class TestJobNotifier : public QObject
{
    Q_OBJECT

private:
    QProcess m_daemon;
    QString m_address;
    FakeDesktop m_desktop;

    static JobRecord ended(JobState state, double seconds)
    {
        JobRecord job;
        job.title = QStringLiteral("Map of layer 30");
        job.state = state;
        job.seconds = seconds;
        return job;
    }

    /// Whether a service has yet to answer.
    static bool isAsking()
    {
        bool asking = false;
        test::LiveObjects::visitThisThread([&asking](QObject& object) {
            asking = asking || qobject_cast<QDBusPendingCallWatcher*>(&object) != nullptr;
        });
        return asking;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("dbus-daemon"));
        if (program.isEmpty())
            return;
        m_daemon.start(program, {QStringLiteral("--session"), QStringLiteral("--nofork"), QStringLiteral("--nopidfile"),
                                 QStringLiteral("--print-address")});
        if (m_daemon.waitForReadyRead(test::kHangMs))
            m_address = QString::fromUtf8(m_daemon.readLine()).trimmed();
    }
    void cleanupTestCase()
    {
        m_daemon.terminate();
        m_daemon.waitForFinished();
    }

    void decision_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<bool>("active");
        QTest::addColumn<bool>("on");
        QTest::addColumn<bool>("wanted");
        QTest::newRow("long, behind") << int(JobState::Done) << 31.0 << false << true << true;
        QTest::newRow("failed, behind") << int(JobState::Failed) << 31.0 << false << true << true;
        QTest::newRow("cancelled") << int(JobState::Cancelled) << 31.0 << false << true << false;
        QTest::newRow("short") << int(JobState::Done) << 29.0 << false << true << false;
        QTest::newRow("seen") << int(JobState::Done) << 3000.0 << true << true << false;
        QTest::newRow("switched off") << int(JobState::Done) << 31.0 << false << false << false;
    }
    void decision()
    {
        QFETCH(int, state);
        QFETCH(double, seconds);
        QFETCH(bool, active);
        QFETCH(bool, on);
        QFETCH(bool, wanted);
        QCOMPARE(wantsNotice(ended(static_cast<JobState>(state), seconds), active, on), wanted);
    }

    void withoutABusNothingHappens()
    {
        DesktopNotice notice(QStringLiteral("no such connection"));
        QVERIFY(!notice.show(QStringLiteral("a"), QStringLiteral("b")));
    }

    void aLongJobIsToldOnTheBus()
    {
        if (m_address.isEmpty())
            QSKIP("dbus-daemon is not installed");
        QDBusConnection service = QDBusConnection::connectToBus(m_address, QStringLiteral("service"));
        QVERIFY(service.isConnected());
        QVERIFY(
            service.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &m_desktop,
                                   QDBusConnection::ExportScriptableSlots | QDBusConnection::ExportScriptableSignals));
        QVERIFY(service.registerService(QStringLiteral("org.freedesktop.Notifications")));
        const QString program = QStringLiteral("program");
        QVERIFY(QDBusConnection::connectToBus(m_address, program).isConnected());

        const auto settings = Settings::temporary();
        JobListModel jobs;
        QWidget window; // never shown, so not active
        const JobNotifier notifier(jobs, *settings, window, program);
        Q_EMIT jobs.ended(ended(JobState::Done, 200));
        WAIT_COMPARE(m_desktop.titles.size(), 1);
        QVERIFY(m_desktop.titles.at(0).contains(QStringLiteral("Map of layer 30")));
        QVERIFY(m_desktop.texts.at(0).contains(QStringLiteral("3 min 20 s")));
        WAIT_FOR(!isAsking()); // the service's answer: the id of the notice
        JobRecord failed = ended(JobState::Failed, 40);
        failed.error = QStringLiteral("disk full");
        Q_EMIT jobs.ended(failed);
        WAIT_COMPARE(m_desktop.texts.size(), 2);
        QCOMPARE(m_desktop.texts.at(1), QStringLiteral("disk full"));
        QCOMPARE(m_desktop.replaced, (QList<uint>{0, 7}));
        settings->setFlag(SettingKey::NoticeWhenDone, false);
        WAIT_FOR(!isAsking());
        Q_EMIT jobs.ended(ended(JobState::Done, 200));
        QVERIFY(!isAsking());

        // A click on the notice brings the window. What is asked for arrives in its order: nothing came before this.
        DesktopNotice notice(program);
        QVERIFY(notice.show(QStringLiteral("a"), QStringLiteral("b")));
        WAIT_COMPARE(m_desktop.titles.size(), 3);
        QCOMPARE(m_desktop.titles.at(2), QStringLiteral("a"));
        WAIT_FOR(!isAsking());
        QSignalSpy clicked(&notice, &DesktopNotice::clicked);
        Q_EMIT m_desktop.ActionInvoked(7, QStringLiteral("default"));
        WAIT_COMPARE(clicked.count(), 1);
        QDBusConnection::disconnectFromBus(program);
        QDBusConnection::disconnectFromBus(QStringLiteral("service"));
    }
};

HEADSCOPE_WINDOW_TEST(TestJobNotifier)
#include "tst_job_notifier.moc"
