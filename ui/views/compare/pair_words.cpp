// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/pair_words.h"

#include "ui/words/wording.h"
#include "viz/export/floor_words.h"

#include <QStringBuilder>

#include <algorithm>
#include <optional>
#include <set>

namespace headscope::ui
{
namespace
{

std::int64_t distinctHeads(const PointIds& points)
{
    return std::ssize(std::set<std::int32_t>(points.head.begin(), points.head.end()));
}

} // namespace

QString PairWords::match(const MapPair& pair)
{
    const QString dot = QStringLiteral(" · ");
    const std::int64_t count = pair.xyA.rows();
    QString text = pair.match == MapMatch::Points ? countText(count, tr("point"), tr("points"))
                                                  : countText(count, tr("document"), tr("documents"));
    if (pair.onlyInA > 0)
        text += dot % tr("%1 only in A").arg(countText(pair.onlyInA));
    if (pair.onlyInB > 0)
        text += dot % tr("%1 only in B").arg(countText(pair.onlyInB));
    return text % dot % tr("r %1").arg(pair.correlation, 0, 'f', 2);
}

QString PairWords::changed(const MapPair& pair)
{
    // Maps of several heads that share no more than who is of which head: neighbours drawn among those of the same
    // head.
    const std::int64_t points = pair.xyA.rows();
    const std::int64_t heads = pair.points == nullptr ? 1 : std::max<std::int64_t>(1, distinctHeads(*pair.points));
    const double chance = 1 - chanceKept(pair.difference.neighbors, points / heads);
    const auto percent = [](double share) { return QString::number(100 * share, 'f', 0); };
    if (heads == 1)
        return tr("%1 % changed (by chance %2 %)").arg(percent(pair.difference.mean), percent(chance));
    const bool alike = pair.a != nullptr && pair.b != nullptr && pair.a->stage == pair.b->stage;
    return tr("%1 % changed (by chance %2 %, inside %3)")
        .arg(percent(pair.difference.mean), percent(chance), alike ? unitsText(pair.a->stage) : tr("rows"));
}

QString PairWords::floor(const MapPair& pair)
{
    const PairFloors floors(pair);
    if (!floors.finding)
        return {};
    // The floor of the map that noise moves more: what exceeds it exceeds both.
    const NoiseFloor& floor =
        !floors.b || (floors.a && floors.a->mean.kept <= floors.b->mean.kept) ? *floors.a : *floors.b;
    const QString text = tr("noise alone %1 %").arg(QString::number(100 * (1 - floor.mean.kept), 'f', 0));
    switch (*floors.finding)
    {
    case FloorFinding::Within:
        return text % tr(": within noise");
    case FloorFinding::Unclear:
        return text % tr(": unclear");
    case FloorFinding::Contradict:
        return text % tr(": r contradicts");
    case FloorFinding::Unstable:
        return text % tr(": not stable enough to compare");
    case FloorFinding::Unknown:
        return text % tr(": no interval");
    case FloorFinding::Above:
        break;
    }
    return text;
}

QString PairWords::differenceTip(const MapPair& pair)
{
    QString text = tr("Of the %1 nearest neighbours in A, the mean share that is not among those in B; maps "
                      "without anything in common: %2")
                       .arg(pair.difference.neighbors)
                       .arg(percentText(1 - chanceKept(pair.difference.neighbors, pair.xyA.rows())));
    const PairFloors floors(pair);
    for (const bool first : {true, false})
        if (const auto& floor = first ? floors.a : floors.b)
            text += QStringLiteral("\n%1: %2")
                        .arg(first ? QStringLiteral("A") : QStringLiteral("B"), viz::floorSentence(*floor));
    if (floors.finding)
        text += u'\n' % viz::findingWords(*floors.finding);
    return text;
}

} // namespace headscope::ui
