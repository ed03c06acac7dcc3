// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/command_line.h"

#include "app/shell/quoted_command.h"

namespace headscope::desktop
{

QString commandLine(const QStringList& words)
{
    std::vector<std::string> all;
    for (const QString& word : words)
        all.push_back(word.toStdString());
    return QString::fromStdString(shell::quotedCommand("headscope", all));
}

QString documentRows(const std::vector<std::int64_t>& documents)
{
    QStringList ranges;
    for (std::size_t first = 0; first < documents.size();)
    {
        std::size_t end = first + 1;
        while (end < documents.size() && documents[end] == documents[end - 1] + 1)
            ++end;
        const QString begin = QString::number(documents[first]);
        ranges << (end - first == 1 ? begin : begin + u'-' + QString::number(documents[end - 1]));
        first = end;
    }
    return ranges.join(u',');
}

} // namespace headscope::desktop
