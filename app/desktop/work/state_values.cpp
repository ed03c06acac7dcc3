// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/state_values.h"

#include "app/cli/figure_files.h"
#include "ui/words/wording.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace headscope::desktop::state
{
namespace
{

constexpr std::size_t kMaxAnnotations = 50;

} // namespace

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

QJsonObject pointsJson(const PointSet& points)
{
    std::map<std::int64_t, std::vector<std::int64_t>> byHead;
    for (std::size_t row = 0; row < points.documents().size(); ++row)
        for (const std::int64_t head : points.headsOf(row))
            byHead[head].push_back(points.documents()[row]);
    QJsonObject object;
    for (const auto& [head, documents] : byHead)
        object[QString::number(head)] = rangesText(documents);
    return object;
}

std::shared_ptr<const PointSet> pointsOf(const QJsonObject& object, std::int64_t documents, std::int64_t heads)
{
    PointSet points;
    for (auto each = object.begin(); each != object.end(); ++each)
    {
        bool isNumber = false;
        const std::int64_t head = each.key().toLongLong(&isNumber);
        const auto rows = rangesOf(each.value().toString(), documents);
        if (isNumber && head >= 0 && head < heads && rows)
            points = combinePoints(points, PointSet(*rows, {head}), SetOperation::Add);
    }
    return points.isEmpty() ? nullptr : std::make_shared<const PointSet>(std::move(points));
}

QJsonArray annotationsJson(const std::vector<viz::Annotation>& annotations)
{
    QJsonArray array;
    for (const viz::Annotation& each : annotations)
        array.append(ui::toQString(cli::annotationWords(each)));
    return array;
}

std::vector<viz::Annotation> annotationsOf(const QJsonArray& array)
{
    std::vector<std::string> words;
    for (const QJsonValue& each : array)
        if (words.size() < kMaxAnnotations)
            words.push_back(ui::toStdString(each.toString()));
    return cli::annotationsOf(words);
}

} // namespace headscope::desktop::state
