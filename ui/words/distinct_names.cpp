// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/distinct_names.h"

#include <algorithm>

namespace headscope::ui
{
namespace
{

/// The last `depth` folders of a path; all of them with the root where there are no more.
QString foldersOf(const QString& path, qsizetype depth)
{
    const QString folder = path.left(std::max<qsizetype>(0, path.lastIndexOf(u'/')));
    const QStringList parts = folder.split(u'/', Qt::SkipEmptyParts);
    if (depth > parts.size())
        return folder.isEmpty() ? QStringLiteral("/") : folder;
    return parts.mid(parts.size() - depth).join(u'/');
}

} // namespace

QStringList distinctNames(const QStringList& paths)
{
    QStringList names;
    for (const QString& path : paths)
    {
        const QString name = path.section(u'/', -1);
        QStringList others;
        for (const QString& other : paths)
            if (other != path && other.section(u'/', -1) == name)
                others << other;
        qsizetype depth = 0;
        const auto isShared = [&](const QString& other) { return foldersOf(other, depth) == foldersOf(path, depth); };
        if (!others.isEmpty())
            for (depth = 1; depth < path.count(u'/') && std::ranges::any_of(others, isShared);)
                ++depth;
        names << (depth == 0 ? name : QString(name % QStringLiteral(" (") % foldersOf(path, depth) % u')'));
    }
    return names;
}

} // namespace headscope::ui
