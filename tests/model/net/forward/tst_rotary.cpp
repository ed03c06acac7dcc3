// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/rotary.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace headscope;

namespace
{

constexpr std::int64_t kDims = 64;

Rotary rotaryOf(const RopeConfig& rope, std::int64_t maxPositions = 2048, std::span<const float> factors = {})
{
    return {rope, maxPositions, kDims, factors};
}

double plain(double theta, std::size_t i)
{
    return std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(kDims));
}

void compare(const std::vector<float>& found, const std::function<double(std::size_t)>& expected)
{
    QCOMPARE(found.size(), static_cast<std::size_t>(kDims / 2));
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY2(std::abs(static_cast<double>(found[i]) / expected(i) - 1) < 5e-7,
                 qPrintable(QStringLiteral("pair %1: %2, expected %3").arg(i).arg(found[i]).arg(expected(i))));
}

} // namespace

class TestRotary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaultFrequencies();
    void linearDividesByTheFactor();
    void factorsDivide();
    void ntkStretchesEveryText();
    void dynamicStretchesLongTextsOnly();
    void llama3KeepsShortWaves();
    void yarnRampsBetweenTheBorders();
    void longRopeDividesByTheLength();
    void tablesRestartInEveryDocument();
};

void TestRotary::defaultFrequencies()
{
    const Rotary rotary = rotaryOf({.theta = 1e6});
    compare(rotary.frequencies(10), [](std::size_t i) { return plain(1e6, i); });
    QCOMPARE(rotary.frequencies(10)[0], 1.0F);
}

void TestRotary::linearDividesByTheFactor()
{
    const Rotary rotary = rotaryOf({.scaling = RopeScaling::Linear, .factor = 4});
    compare(rotary.frequencies(10), [](std::size_t i) { return plain(1e4, i) / 4; });
}

void TestRotary::factorsDivide()
{
    std::vector<float> factors(kDims / 2);
    for (std::size_t i = 0; i < factors.size(); ++i)
        factors[i] = 1.0F + static_cast<float>(i);
    const Rotary rotary = rotaryOf({}, 2048, factors);
    compare(rotary.frequencies(10), [](std::size_t i) { return plain(1e4, i) / (1.0 + static_cast<double>(i)); });
}

void TestRotary::ntkStretchesEveryText()
{
    const Rotary rotary = rotaryOf({.theta = 5e5, .scaling = RopeScaling::Ntk, .factor = 2});
    for (const std::int64_t length : {1, 5000})
        compare(rotary.frequencies(length), [](std::size_t i) { return plain(1e6, i) / std::pow(2.0, 2.0 / kDims); });
}

void TestRotary::dynamicStretchesLongTextsOnly()
{
    const Rotary rotary = rotaryOf({.scaling = RopeScaling::Dynamic, .factor = 2}, 100);
    compare(rotary.frequencies(100), [](std::size_t i) { return plain(1e4, i); });
    const double theta = 1e4 * std::pow(2 * 150.0 / 100 - 1, 64.0 / 62);
    compare(rotary.frequencies(150), [theta](std::size_t i) { return plain(theta, i); });

    MatrixF cosines, sines;
    rotary.tables({.offsets = {0, 100, 250}, .picked = {}}, cosines, sines);
    QVERIFY(std::abs(static_cast<double>(sines(50, 9)) - std::sin(50 * plain(1e4, 9))) < 1e-5);
    QVERIFY(std::abs(static_cast<double>(sines(150, 9)) - std::sin(50 * plain(theta, 9))) < 1e-5);
}

void TestRotary::llama3KeepsShortWaves()
{
    const RopeConfig rope{.theta = 5e5,
                          .scaling = RopeScaling::Llama3,
                          .factor = 8,
                          .lowFrequencyFactor = 1,
                          .highFrequencyFactor = 4,
                          .originalPositions = 8192};
    const Rotary rotary = rotaryOf(rope);
    int kept = 0, slowed = 0, blended = 0;
    compare(rotary.frequencies(10), [&](std::size_t i) {
        const double inv = plain(5e5, i);
        const double wavelength = 2 * std::numbers::pi / inv;
        if (wavelength < 8192.0 / 4)
            return ++kept, inv;
        if (wavelength > 8192.0)
            return ++slowed, inv / 8;
        const double s = (8192 / wavelength - 1) / 3;
        return ++blended, (1 - s) * inv / 8 + s * inv;
    });
    QVERIFY(kept > 0 && slowed > 0 && blended > 0);
}

void TestRotary::yarnRampsBetweenTheBorders()
{
    const RopeConfig rope{.scaling = RopeScaling::Yarn,
                          .factor = 4,
                          .originalPositions = 2048,
                          .betaFast = 32,
                          .betaSlow = 1,
                          .truncate = true,
                          .attentionFactor = 1.25};
    const Rotary rotary = rotaryOf(rope);
    // corr(32) = 64 ln(2048 / (64 pi)) / (2 ln 1e4) = 8.06 -> 8; corr(1) = 20.1 -> 21.
    compare(rotary.frequencies(10), [](std::size_t i) {
        const double inv = plain(1e4, i);
        const double f = 1 - std::clamp((static_cast<double>(i) - 8) / (21 - 8), 0.0, 1.0);
        return inv / 4 * (1 - f) + inv * f;
    });
    MatrixF cosines, sines;
    rotary.tables({.offsets = {0, 2}, .picked = {}}, cosines, sines);
    QCOMPARE(cosines(0, 0), 1.25F);
    QVERIFY(std::abs(sines(1, 0) - 1.25F * std::sin(1.0F)) < 1e-6F);
}

void TestRotary::longRopeDividesByTheLength()
{
    RopeConfig rope{.scaling = RopeScaling::LongRope, .originalPositions = 32, .attentionFactor = 1.25};
    for (std::int64_t i = 0; i < kDims / 2; ++i)
    {
        rope.shortFactors.push_back(1 + 0.25 * static_cast<double>(i));
        rope.longFactors.push_back(2 + static_cast<double>(i));
    }
    const Rotary rotary = rotaryOf(rope, 1024);
    compare(rotary.frequencies(32), [](std::size_t i) { return plain(1e4, i) / (1 + 0.25 * static_cast<double>(i)); });
    compare(rotary.frequencies(33), [](std::size_t i) { return plain(1e4, i) / (2 + static_cast<double>(i)); });
    // The long factors are those of all positions of a long text, and of that text alone.
    MatrixF cosines, sines;
    rotary.tables({.offsets = {0, 33, 65}, .picked = {}}, cosines, sines);
    QVERIFY(std::abs(static_cast<double>(sines(1, 0)) - 1.25 * std::sin(0.5)) < 1e-6);
    QVERIFY(std::abs(static_cast<double>(sines(34, 1)) - 1.25 * std::sin(plain(1e4, 1) / 1.25)) < 1e-6);
}

void TestRotary::tablesRestartInEveryDocument()
{
    const Rotary rotary = rotaryOf({});
    MatrixF cosines, sines;
    rotary.tables({.offsets = {0, 3, 4, 9}, .picked = {}}, cosines, sines);
    QCOMPARE(cosines.rows(), 9);
    for (std::int64_t i = 0; i < kDims / 2; ++i)
    {
        QCOMPARE(cosines(3, i), 1.0F);
        QCOMPARE(sines(4, i), 0.0F);
        QCOMPARE(sines(5, i), sines(1, i));
    }
}

HEADSCOPE_TEST_GUILESS(TestRotary)
#include "tst_rotary.moc"
