// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/json_values.h"

#include <QStringList>

#include <cmath>

namespace headscope::ui::state
{

std::optional<double> number(const QJsonObject& object, const QString& key, double least, double most)
{
    const QJsonValue value = object.value(key);
    if (!value.isDouble())
        return std::nullopt;
    const double found = value.toDouble();
    if (!(found >= least && found <= most)) // also NaN
        return std::nullopt;
    return found;
}

std::optional<std::int64_t> whole(const QJsonObject& object, const QString& key, std::int64_t least, std::int64_t most)
{
    const auto found = number(object, key, static_cast<double>(least), static_cast<double>(most));
    if (!found || std::floor(*found) != *found)
        return std::nullopt;
    return static_cast<std::int64_t>(*found);
}

std::optional<bool> flag(const QJsonObject& object, const QString& key)
{
    const QJsonValue value = object.value(key);
    return value.isBool() ? std::optional(value.toBool()) : std::nullopt;
}

QString text(const QJsonObject& object, const QString& key, qsizetype longest)
{
    const QString found = object.value(key).toString();
    return found.size() <= longest ? found : QString();
}

QString rangesText(const std::vector<std::int64_t>& indices)
{
    QStringList parts;
    for (std::size_t at = 0; at < indices.size();)
    {
        std::size_t end = at + 1;
        while (end < indices.size() && indices[end] == indices[end - 1] + 1)
            ++end;
        parts << (end == at + 1 ? QString::number(indices[at])
                                : QStringLiteral("%1-%2").arg(indices[at]).arg(indices[end - 1]));
        at = end;
    }
    return parts.join(u',');
}

std::optional<std::vector<std::int64_t>> rangesOf(const QString& text, std::int64_t count)
{
    std::vector<std::int64_t> indices;
    if (text.isEmpty())
        return indices;
    std::int64_t next = 0; // ascending, so that no text makes more than `count` of them
    for (const QStringView part : QStringView(text).split(u','))
    {
        const qsizetype dash = part.indexOf(u'-');
        bool isFirst = false;
        bool isLast = false;
        const std::int64_t first = part.left(dash < 0 ? part.size() : dash).toLongLong(&isFirst);
        const std::int64_t last = dash < 0 ? first : part.mid(dash + 1).toLongLong(&isLast);
        if (!isFirst || (dash >= 0 && !isLast) || first < next || last < first || last >= count)
            return std::nullopt;
        for (std::int64_t index = first; index <= last; ++index)
            indices.push_back(index);
        next = last + 1;
    }
    return indices;
}

} // namespace headscope::ui::state
