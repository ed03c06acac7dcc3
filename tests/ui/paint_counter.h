// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QObject>
#include <QString>

#include <map>

namespace headscope::test
{

/// Counts the paint events of every widget, by class and name.
class PaintCounter : public QObject
{
public:
    std::map<QString, int> paints;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint && watched->isWidgetType())
            ++paints[QString::fromLatin1(watched->metaObject()->className()) + u' ' + watched->objectName()];
        return false;
    }
};

} // namespace headscope::test
