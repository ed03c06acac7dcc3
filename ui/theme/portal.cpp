// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop's own choice of light or dark, as the settings portal tells it. Qt 6.4 has no signal
// of its own for it (QStyleHints::colorScheme is of 6.5).
#include "ui/theme/portal.h"

#include "ui/theme/theme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

namespace headscope::ui
{
namespace
{

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kNamespace = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");

/// The innermost value: portals wrap it in one or two variants.
QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}

} // namespace

ColorSchemePortal::ColorSchemePortal(QObject* parent) : QObject(parent)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage question = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    question.setArguments({kNamespace, kKey});
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* call) {
        const QDBusPendingReply<QVariant> reply = *call;
        if (!reply.isError())
            take(unwrapped(reply.argumentAt(0)));
        call->deleteLater();
    });
}

void ColorSchemePortal::settingChanged(const QString& group, const QString& key, const QDBusVariant& value)
{
    if (group == kNamespace && key == kKey)
        take(unwrapped(value.variant()));
}

void ColorSchemePortal::take(const QVariant& value)
{
    // 0 no preference, 1 dark, 2 light.
    const uint scheme = value.toUInt();
    if (scheme == 1 || scheme == 2)
        Q_EMIT preferred(scheme == 1);
}

} // namespace headscope::ui
