// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/noise_floor_text.h"

#include "model/data/maps/map_making.h"
#include "viz/export/figure_text.h"

#include <array>
#include <cmath>

namespace headscope::viz
{
namespace
{

QString wholePercent(double share)
{
    return QStringLiteral("%1 %").arg(std::lround(100 * share));
}

QString twoDigits(double r)
{
    return QString::number(r, 'f', 2);
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
    return QStringLiteral("%1 of neighbours kept (r %2)")
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
        return QStringLiteral("%1 %").arg(QString::number(100 * share, 'f', share < 0.0995 ? 1 : 0));
    };
    QString words = QStringLiteral("chance: unrelated maps %1").arg(percent(chanceKept(agreement.neighbors, points)));
    if (agreement.keptWithin)
        words += QStringLiteral(", maps that only know the %1 %2").arg(units, percent(*agreement.keptWithin));
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
        range = QStringLiteral(", range over the twins %1 to %2")
                    .arg(QString::number(std::lround(100 * floor.leastKept)), wholePercent(floor.mostKept));
    return QStringLiteral("Noise floor, of %1: %2 of the same vectors, each moved by Gaussian noise of %3 of its root "
                          "mean square, %4 %5 of the %6 nearest%7 (%8), %9.")
        .arg(one ? QStringLiteral("one twin") : QStringLiteral("%1 twins").arg(floor.twins),
             one ? QStringLiteral("a map") : QStringLiteral("maps"), noiseWords(floor.noise),
             one ? QStringLiteral("keeps") : QStringLiteral("keep"), wholePercent(floor.mean.kept),
             QString::number(floor.mean.neighbors), range, chanceWords(floor.mean, map.xy.rows(), units),
             correlationWords(floor.mean, units));
}

QString findingWords(FloorFinding finding, CorrelationFinding correlation)
{
    const QString r = correlation == CorrelationFinding::Undecided
                          ? QStringLiteral(" r lies among those of the twins and decides nothing.")
                          : QString();
    switch (finding)
    {
    case FloorFinding::Unknown:
        return QStringLiteral("No verdict: the noise floor was kept without shares by point or their spread over "
                              "twins, so that the difference has no interval.");
    case FloorFinding::Unstable:
        return QStringLiteral("No verdict: the map is not stable enough to compare, its twins with noise are near "
                              "chance.");
    case FloorFinding::FewTwins:
        return QStringLiteral("No verdict: what a twin keeps moves with the draw of the noise, a verdict takes at "
                              "least %1 twins.")
            .arg(kVerdictTwins);
    case FloorFinding::Undecided:
        return QStringLiteral("Undecided: the 95 % interval of the difference to noise (over documents and twins) "
                              "holds 0, or the other map lies among the twins.");
    case FloorFinding::Contradict:
        return QStringLiteral("No verdict: neighbours kept and r contradict each other.");
    case FloorFinding::Above:
        return QStringLiteral("More than noise: the 95 % interval of the difference to noise (over documents and "
                              "twins) excludes 0, and no twin differs as much.") +
               r;
    case FloorFinding::Within:
        return QStringLiteral("Within noise: all twins differ by more, and that says nothing about the data.") + r;
    case FloorFinding::Method:
        return QStringLiteral("More than noise, and not of the data: both maps are of the same vectors.") + r;
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
    const QString both = QStringLiteral("%1 / %2 %").arg(others, noise);
    const auto verdict = map.verdict();
    switch (verdict ? verdict->finding : FloorFinding::Unknown)
    {
    case FloorFinding::Unknown:
        break;
    case FloorFinding::FewTwins:
        return both + (map.map.floor->twins == 1 ? QStringLiteral(" · 1 twin") : QStringLiteral(" · 2 twins"));
    case FloorFinding::Above:
        return both + QStringLiteral(" · above noise");
    case FloorFinding::Within:
        return QStringLiteral("%1 \u2248 %2 % · within noise").arg(others, noise);
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
