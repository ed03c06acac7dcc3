// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/job_list_model.h"

#include <QObject>
#include <QString>

#include <functional>

class QWidget;

namespace headscope::ui
{

class Settings;

/// Jobs that ran longer than this are worth a notice, in seconds.
inline constexpr double kLongJobSeconds = 30;

/// Whether the desktop should show a notice that a job has ended: it was long, the window was not active, it was not
/// cancelled, and the user has not switched notices off.
[[nodiscard]] bool wantsNotice(const JobRecord& job, bool windowIsActive, bool switchedOn);

/// A notice of the desktop (org.freedesktop.Notifications). Where there is no session bus, or
/// nothing on it that shows notices, nothing happens.
/// @threads GUI thread
class DesktopNotice : public QObject
{
    Q_OBJECT

public:
    /// @param busName  a connection that QDBusConnection knows by this name; empty: the session bus
    explicit DesktopNotice(QString busName = {}, QObject* parent = nullptr);

    /// Asks for the notice and returns at once. A second one replaces the first.
    /// @return  whether there was a bus to ask on
    bool show(const QString& title, const QString& text);

Q_SIGNALS:
    /// The notice was clicked.
    void clicked();

private Q_SLOTS:
    void takeAction(uint id, const QString& action);

private:
    QString m_busName;
    uint m_id = 0; ///< of the last notice, assigned by the service
    bool m_listening = false;
};

/// Shows a notice when a long job ends while the window is not active; a click on it raises the window.
class JobNotifier : public QObject
{
    Q_OBJECT

public:
    /// @param jobs, settings, window  must outlive the notifier
    JobNotifier(JobListModel& jobs, Settings& settings, QWidget& window, QString busName = {});

private:
    void takeEnded(const JobRecord& job);

    Settings& m_settings;
    QWidget& m_window;
    DesktopNotice m_notice;
};

} // namespace headscope::ui
