// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_notifier.h"

#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>
#include <QWidget>

#include <utility>

namespace headscope::ui
{
namespace
{

const QString kService = QStringLiteral("org.freedesktop.Notifications");
const QString kPath = QStringLiteral("/org/freedesktop/Notifications");

} // namespace

bool wantsNotice(const JobRecord& job, bool windowIsActive, bool switchedOn)
{
    return switchedOn && !windowIsActive && job.seconds > kLongJobSeconds &&
           (job.state == JobState::Done || job.state == JobState::Failed);
}

DesktopNotice::DesktopNotice(QString busName, QObject* parent) : QObject(parent), m_busName(std::move(busName)) {}

bool DesktopNotice::show(const QString& title, const QString& text)
{
    QDBusConnection bus = m_busName.isEmpty() ? QDBusConnection::sessionBus() : QDBusConnection(m_busName);
    if (!bus.isConnected())
        return false;
    if (!std::exchange(m_listening, true))
        bus.connect(kService, kPath, kService, QStringLiteral("ActionInvoked"), this, SLOT(takeAction(uint, QString)));
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kService, QStringLiteral("Notify"));
    constexpr int kAsTheDesktopLikes = -1;
    call.setArguments({QStringLiteral("Headscope"), m_id, QStringLiteral("headscope"), title, text,
                       QStringList{QStringLiteral("default"), tr("Show")}, QVariantMap(), kAsTheDesktopLikes});
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* answered) {
        const QDBusPendingReply<uint> reply = *answered;
        if (!reply.isError())
            m_id = reply.value();
        answered->deleteLater();
    });
    return true;
}

void DesktopNotice::takeAction(uint id, const QString& /*action*/)
{
    if (id == m_id && m_id != 0)
        Q_EMIT clicked();
}

JobNotifier::JobNotifier(JobListModel& jobs, Settings& settings, QWidget& window, QString busName)
    : m_settings(settings), m_window(window), m_notice(std::move(busName))
{
    connect(&jobs, &JobListModel::ended, this, &JobNotifier::takeEnded);
    connect(&m_notice, &DesktopNotice::clicked, this, [this] {
        if (m_window.isMinimized())
            m_window.showNormal();
        m_window.raise();
        m_window.activateWindow();
    });
}

void JobNotifier::takeEnded(const JobRecord& job)
{
    // A dialog of ours in front is as good as the window.
    const bool looksAtUs = QApplication::activeWindow() != nullptr;
    if (!wantsNotice(job, looksAtUs, m_settings.flag(SettingKey::NoticeWhenDone)))
        return;
    const QString took = durationText(job.seconds);
    if (job.state == JobState::Failed)
        m_notice.show(tr("Failed: %1").arg(job.title), job.error);
    else
        m_notice.show(tr("Done: %1").arg(job.title), tr("It took %1.").arg(took));
}

} // namespace headscope::ui
