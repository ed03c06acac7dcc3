// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/command_line.h"

#include <QRegularExpression>

namespace headscope::desktop
{

QString commandLine(const QStringList& words)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    QString line = QStringLiteral("headscope");
    for (QString word : words)
    {
        if (!plain.match(word).hasMatch())
            word = u'\'' % word.replace(u'\'', QStringLiteral("'\\''")) % u'\'';
        line += u' ' % word;
    }
    return line;
}

} // namespace headscope::desktop
