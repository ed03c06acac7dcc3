// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/noise_floor_text.h"

#include "model/data/maps/map_making.h"
#include "viz/axis/text.h"
#include "viz/export/figure_text.h"

#include <array>
#include <cmath>

namespace headscope::viz
{
namespace
{

QString wholePercent(double share)
{
    return QStringLiteral("%1%").arg(std::lround(100 * share));
}

QString twoDigits(double r)
{
    return fixedNumber(r, 2);
}

} // namespace

QString noiseWords(double noise)
{
    const double power = std::round(std::log10(noise));
    if (std::abs(noise / std::pow(10.0, power) - 1) < 1e-9)
        return QStringLiteral("1e%1").arg(static_cast<int>(power));
    return QString::number(noise, 'g', 3);
}

QString agreementWords(const MapAgreement& agreement)
{
    return QStringLiteral("%1 of neighbours preserved (r %2)")
        .arg(wholePercent(agreement.kept), twoDigits(agreement.correlation));
}

QString floorWords(const NoiseFloor& floor)
{
    return QStringLiteral("same data with %1 noise: %2 (r %3)")
        .arg(noiseWords(floor.noise), wholePercent(floor.mean.kept), twoDigits(floor.mean.correlation));
}

QString chanceWords(const MapAgreement& agreement, std::int64_t points, const QString& units)
{
    const auto percent = [](double share) {
        return QStringLiteral("%1%").arg(QString::number(100 * share, 'f', share < 0.0995 ? 1 : 0));
    };
    QString words =
        QStringLiteral("chance: unrelated maps share %1").arg(percent(chanceKept(agreement.neighbors, points)));
    if (agreement.keptWithin)
        words += QStringLiteral(", maps that only separate the %1 share %2").arg(units, percent(*agreement.keptWithin));
    return words;
}

QString correlationWords(const MapAgreement& agreement, const QString& units)
{
    if (!agreement.shuffledCorrelation)
        return QStringLiteral("r %1").arg(twoDigits(agreement.correlation));
    const QString inside = agreement.keptWithin ? QStringLiteral(" inside %1").arg(units) : QString();
    return QStringLiteral("r %1 (documents permuted%2: %3)")
        .arg(twoDigits(agreement.correlation), inside, twoDigits(*agreement.shuffledCorrelation));
}

QString floorSentence(const HeadMap& map, const NoiseFloor& floor)
{
    const QString units = wordsOf(unitNames(std::array{map.stage}));
    const bool one = floor.twins == 1;
    QString range;
    if (!one)
        range = QStringLiteral(", range over the replicates %1 to %2")
                    .arg(QString::number(std::lround(100 * floor.leastKept)), wholePercent(floor.mostKept));
    return QStringLiteral("Noise floor (%1): %2 of the same vectors with Gaussian noise of %3 of each vector's root "
                          "mean square %4 %5 of the %6 nearest neighbours%7 (%8), %9.")
        .arg(one ? QStringLiteral("one noise replicate") : QStringLiteral("%1 noise replicates").arg(floor.twins),
             one ? QStringLiteral("a map") : QStringLiteral("maps"), noiseWords(floor.noise),
             one ? QStringLiteral("preserves") : QStringLiteral("preserve"), wholePercent(floor.mean.kept),
             QString::number(floor.mean.neighbors), range, chanceWords(floor.mean, map.xy.rows(), units),
             correlationWords(floor.mean, units));
}

QString findingWords(FloorFinding finding, CorrelationFinding correlation)
{
    const QString r = correlation == CorrelationFinding::Undecided
                          ? QStringLiteral(" r lies within the range of the noise replicates and is inconclusive.")
                          : QString();
    switch (finding)
    {
    case FloorFinding::Unknown:
        return QStringLiteral("Inconclusive: the noise floor was saved without proportions per point or their spread "
                              "over replicates, so the difference has no interval.");
    case FloorFinding::Unstable:
        return QStringLiteral(
            "Inconclusive: the map is not stable enough to compare; its noise replicates are near chance.");
    case FloorFinding::FewTwins:
        return QStringLiteral("Inconclusive: the result for one noise replicate depends on the sampled noise; at least "
                              "%1 replicates are needed.")
            .arg(kVerdictTwins);
    case FloorFinding::Undecided:
        return QStringLiteral("Inconclusive: the 95% interval of the difference from noise (over documents and "
                              "replicates) includes 0, or the other map lies among the replicates.");
    case FloorFinding::Contradict:
        return QStringLiteral("Inconclusive: neighbours preserved and r contradict each other.");
    case FloorFinding::Above:
        return QStringLiteral("More than noise: the 95% interval of the difference from noise (over documents and "
                              "replicates) excludes 0, and no replicate differs as much.") +
               r;
    case FloorFinding::Within:
        return QStringLiteral("Within noise: all replicates differ by more. This difference shows nothing about the "
                              "data.") +
               r;
    case FloorFinding::Method:
        return QStringLiteral("More than noise, but not because of the data: both maps are of the same vectors.") + r;
    }
    return {};
}

QString findingWords(const MapPair& pair)
{
    const PairFloors floors(pair);
    QString words = floors.finding ? findingWords(*floors.finding, floors.correlation) : QString();
    if (QString making = wordsOf(makingText(makingOf(pair))); !making.isEmpty())
    {
        making[0] = making[0].toUpper();
        words += (words.isEmpty() ? QString() : QStringLiteral(" ")) + making + u'.';
    }
    return words;
}

QString othersWords(const MapOfSet& map)
{
    if (!map.map.floor || !map.others)
        return {};
    const auto whole = [](double share) { return QString::number(std::lround(100 * share)); };
    const QString others = whole(map.others->kept);
    const QString noise = whole(map.map.floor->mean.kept);
    const QString both = QStringLiteral("%1 / %2%").arg(others, noise);
    const auto verdict = map.verdict();
    switch (verdict ? verdict->finding : FloorFinding::Unknown)
    {
    case FloorFinding::Unknown:
        break;
    case FloorFinding::FewTwins:
        return both +
               (map.map.floor->twins == 1 ? QStringLiteral(" · 1 replicate") : QStringLiteral(" · 2 replicates"));
    case FloorFinding::Above:
        return both + QStringLiteral(" · above noise");
    case FloorFinding::Within:
        return QStringLiteral("%1 \u2248 %2% · within noise").arg(others, noise);
    case FloorFinding::Undecided:
        return both + QStringLiteral(" · undecided");
    case FloorFinding::Contradict:
        return both + QStringLiteral(" · r contradicts");
    case FloorFinding::Unstable:
        return both + QStringLiteral(" · unstable");
    case FloorFinding::Method: // of pairs alone
        break;
    }
    return both;
}

} // namespace headscope::viz
