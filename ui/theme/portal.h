// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QString>
#include <QVariant>

namespace headscope::ui
{

/// Asks the desktop's settings portal for light or dark, and listens for changes. Silent where
/// there is no session bus or no portal.
class ColorSchemePortal : public QObject
{
    Q_OBJECT

public:
    explicit ColorSchemePortal(QObject* parent = nullptr);

Q_SIGNALS:
    void preferred(bool dark);

private Q_SLOTS:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void take(const QVariant& value);
};

} // namespace headscope::ui
