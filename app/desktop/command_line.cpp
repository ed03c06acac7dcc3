// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/command_line.h"

#include <QRegularExpression>

namespace headscope::desktop
{

QString shellLine(const QStringList& words)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_\\-+=./:,@%]+$"));
    QString line = QStringLiteral("headscope");
    for (QString word : words)
    {
        line += u' ';
        if (plain.match(word).hasMatch())
            line += word;
        else
            line += u'\'' + word.replace(u'\'', QStringLiteral("'\\''")) + u'\'';
    }
    return line;
}

} // namespace headscope::desktop
