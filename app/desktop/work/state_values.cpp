// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/work/state_values.h"

#include "app/cli/figure_files.h"
#include "ui/words/wording.h"

#include <map>
#include <string>

namespace headscope::desktop::state
{
namespace
{

constexpr std::size_t kMaxAnnotations = 50;

} // namespace

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
