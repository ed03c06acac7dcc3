// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/floor_words.h"

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

QString floorSentence(const NoiseFloor& floor)
{
    return QStringLiteral("Noise floor: %1 of the same vectors, each moved by Gaussian noise of %2 of its root mean "
                          "square, %3 %4 of the %5 nearest (r %6).")
        .arg(floor.twins == 1 ? QStringLiteral("a map") : QStringLiteral("%1 maps").arg(floor.twins),
             noiseWords(floor.noise), floor.twins == 1 ? QStringLiteral("keeps") : QStringLiteral("keep"),
             wholePercent(floor.mean.kept), QString::number(floor.mean.neighbors), twoDigits(floor.mean.correlation));
}

QString findingWords(FloorFinding finding)
{
    switch (finding)
    {
    case FloorFinding::Unknown:
        return QStringLiteral("No verdict: the noise floor was kept without shares by point, so that the difference "
                              "has no interval.");
    case FloorFinding::Unstable:
        return QStringLiteral("No verdict: the map is not stable enough to compare, its twins with noise are near "
                              "chance.");
    case FloorFinding::Unclear:
        return QStringLiteral("No verdict: the 95 % interval of the difference to noise (jackknife over documents) "
                              "holds 0, or a twin differs as much.");
    case FloorFinding::Contradict:
        return QStringLiteral("No verdict: neighbours kept and r contradict each other.");
    case FloorFinding::Above:
        return QStringLiteral("More than noise: the 95 % interval of the difference to noise (jackknife over "
                              "documents) excludes 0.");
    case FloorFinding::Within:
        return QStringLiteral("Within noise: that says nothing about the data.");
    }
    return {};
}

QString othersWords(const MapOfSet& map)
{
    if (!map.map.floor || !map.others)
        return {};
    const auto whole = [](double share) { return QString::number(std::lround(100 * share)); };
    const QString others = whole(map.others->kept);
    const QString noise = whole(map.map.floor->mean.kept);
    const auto verdict = map.verdict();
    switch (verdict ? verdict->finding : FloorFinding::Unknown)
    {
    case FloorFinding::Above:
    case FloorFinding::Unknown:
        break;
    case FloorFinding::Within:
        return QStringLiteral("%1 \u2248 %2 % · within noise").arg(others, noise);
    case FloorFinding::Unclear:
        return QStringLiteral("%1 / %2 % · unclear").arg(others, noise);
    case FloorFinding::Contradict:
        return QStringLiteral("%1 / %2 % · r contradicts").arg(others, noise);
    case FloorFinding::Unstable:
        return QStringLiteral("%1 / %2 % · unstable").arg(others, noise);
    }
    return QStringLiteral("%1 / %2 %").arg(others, noise);
}

} // namespace headscope::viz
