// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/pair_text.h"

#include "ui/words/wording.h"
#include "viz/export/noise_floor_text.h"

#include <QStringBuilder>

#include <array>
#include <optional>

namespace headscope::ui
{
namespace
{

/// What the points of a document are on both maps.
QString unitsOf(const MapPair& pair)
{
    if (pair.a == nullptr || pair.b == nullptr)
        return unitsText(Stage::HeadOutput);
    const std::array stages = {pair.a->stage, pair.b->stage};
    return toQString(unitNames(stages));
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
    return text % dot % viz::correlationWords(pair.agreement(), unitsOf(pair));
}

QString PairWords::changed(const MapPair& pair)
{
    const auto percent = [](double share) { return QString::number(100 * share, 'f', 0); };
    const double unrelated = 1 - chanceKept(pair.difference.neighbors, pair.xyA.rows());
    if (!pair.keptWithin)
        return tr("%1% changed (unrelated maps: %2%)").arg(percent(pair.difference.mean), percent(unrelated));
    return tr("%1% changed (unrelated maps: %2%; maps that only separate the %3: %4%)")
        .arg(percent(pair.difference.mean), percent(unrelated), unitsOf(pair), percent(1 - *pair.keptWithin));
}

QString PairWords::floor(const MapPair& pair)
{
    const PairFloors floors(pair);
    if (!floors.finding)
        return {};
    // The floor of the map that noise moves more: what exceeds it exceeds both.
    const NoiseFloor& floor =
        !floors.b || (floors.a && floors.a->mean.kept <= floors.b->mean.kept) ? *floors.a : *floors.b;
    const QString text = tr("noise alone %1%").arg(QString::number(100 * (1 - floor.mean.kept), 'f', 0));
    switch (*floors.finding)
    {
    case FloorFinding::Above:
        return text % tr(": above noise floor");
    case FloorFinding::Within:
        return text % tr(": within noise floor");
    case FloorFinding::Method:
        return text % tr(": same vectors, so the change is not a property of the data");
    case FloorFinding::Undecided:
        return text % tr(": inconclusive");
    case FloorFinding::Contradict:
        return text % tr(": r contradicts");
    case FloorFinding::Unstable:
        return text % tr(": not stable enough to compare");
    case FloorFinding::FewTwins:
        return text % (floor.twins == 1 ? tr(" (1 noise replicate: inconclusive)")
                                        : tr(" (too few noise replicates: inconclusive)"));
    case FloorFinding::Unknown:
        return text % tr(": no interval");
    }
    return text;
}

QString PairWords::differenceTip(const MapPair& pair)
{
    QString text = tr("Mean proportion of the %1 nearest neighbours in A that are not among the %1 nearest neighbours "
                      "in B.\nKept by %2")
                       .arg(QString::number(pair.difference.neighbors),
                            viz::chanceWords(pair.agreement(), pair.xyA.rows(), unitsOf(pair)));
    const PairFloors floors(pair);
    for (const bool first : {true, false})
        if (const auto& floor = first ? floors.a : floors.b)
            text += QStringLiteral("\n%1: %2")
                        .arg(first ? QStringLiteral("A") : QStringLiteral("B"),
                             viz::floorSentence(first ? *pair.a : *pair.b, *floor));
    if (const QString finding = viz::findingWords(pair); !finding.isEmpty())
        text += u'\n' % finding;
    return text;
}

} // namespace headscope::ui
