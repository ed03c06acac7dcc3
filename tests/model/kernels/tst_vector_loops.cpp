// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/vector_loops.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

using namespace headscope;

namespace
{

/// Lengths around the widths of SSE, AVX2 and AVX-512 registers, and of two of each.
constexpr std::array kLengths = {1UL, 3UL, 4UL, 7UL, 8UL, 15UL, 16UL, 17UL, 31UL, 33UL, 64UL, 100UL, 577UL};

std::vector<float> normals(std::size_t count, std::uint64_t seed, double scale = 1)
{
    const CounterRandom random(seed);
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(scale * random.normal(i));
    return values;
}

void compare(std::span<const float> found, const std::vector<double>& expected, double tolerance)
{
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(std::abs(static_cast<double>(found[i]) - expected[i]) <= tolerance * (1 + std::abs(expected[i])),
                 qPrintable(QStringLiteral("length %1, at %2: %3, expected %4")
                                .arg(expected.size())
                                .arg(i)
                                .arg(static_cast<double>(found[i]), 0, 'g', 9)
                                .arg(expected[i], 0, 'g', 9)));
}

} // namespace

class TestVectorLoops : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void addsInPlace();
    void multipliesInPlace();
    void largerOfTwo();
    void rmsNormIsTheFormula();
    void layerNormIsTheFormula();
    void softmaxIsTheFormula();
    void softmaxOfExtremes();
    void siluTimesIsTheFormula();
    void siluAlone();
    void geluIsTheErfForm();
    void geluInItsTanhForm();
    void cappedByTanh();
    void rotationKeepsLengthAndInverts();
};

void TestVectorLoops::addsInPlace()
{
    for (const std::size_t n : kLengths)
    {
        auto into = normals(n, 1);
        const auto x = normals(n, 2);
        const auto before = into;
        addInto(into, x);
        for (std::size_t i = 0; i < n; ++i)
            QCOMPARE(into[i], before[i] + x[i]);
    }
}

void TestVectorLoops::multipliesInPlace()
{
    for (const std::size_t n : kLengths)
    {
        auto into = normals(n, 1);
        const auto x = normals(n, 2);
        const auto before = into;
        multiplyInto(into, x);
        for (std::size_t i = 0; i < n; ++i)
            QCOMPARE(into[i], before[i] * x[i]);
    }
}

void TestVectorLoops::largerOfTwo()
{
    for (const std::size_t n : kLengths)
    {
        auto into = normals(n, 1);
        const auto x = normals(n, 2);
        const auto before = into;
        maxInto(into, x);
        for (std::size_t i = 0; i < n; ++i)
            QCOMPARE(into[i], std::max(before[i], x[i]));
    }
}

void TestVectorLoops::rmsNormIsTheFormula()
{
    for (const std::size_t n : kLengths)
    {
        const auto x = normals(n, 3, 1e-3);
        const auto weight = normals(n, 4);
        double squares = 0;
        for (const float v : x)
            squares += static_cast<double>(v) * static_cast<double>(v);
        std::vector<double> expected(n);
        for (std::size_t i = 0; i < n; ++i)
            expected[i] = static_cast<double>(x[i]) / std::sqrt(squares / static_cast<double>(n) + 1e-6) *
                          static_cast<double>(weight[i]);
        std::vector<float> out(n);
        rmsNorm(x, weight, 1e-6F, out);
        compare(out, expected, 2e-6);
        auto same = x;
        rmsNorm(same, weight, 1e-6F, same);
        QCOMPARE(same, out);
    }
}

void TestVectorLoops::layerNormIsTheFormula()
{
    for (const std::size_t n : kLengths)
    {
        auto x = normals(n, 5);
        for (float& v : x)
            v += 10;
        const auto weight = normals(n, 6);
        const auto bias = normals(n, 7);
        const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(n);
        double variance = 0;
        for (const float v : x)
            variance += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean) / static_cast<double>(n);
        std::vector<double> expected(n);
        for (std::size_t i = 0; i < n; ++i)
            expected[i] =
                (static_cast<double>(x[i]) - mean) / std::sqrt(variance + 1e-5) * static_cast<double>(weight[i]) +
                static_cast<double>(bias[i]);
        std::vector<float> plain(n); // without a bias
        layerNorm(x, weight, {}, 1e-5F, plain);
        layerNorm(x, weight, bias, 1e-5F, x);
        // With one value the difference to the mean is all rounding.
        compare(x, expected, n == 1 ? 1e-2 : 2e-5);
        for (std::size_t i = 0; i < n; ++i)
            QCOMPARE(x[i], plain[i] + bias[i]);
    }
}

void TestVectorLoops::softmaxIsTheFormula()
{
    for (const std::size_t n : kLengths)
    {
        auto x = normals(n, 8, 4);
        double sum = 0;
        for (const float v : x)
            sum += std::exp(0.25 * static_cast<double>(v));
        std::vector<double> expected(n);
        for (std::size_t i = 0; i < n; ++i)
            expected[i] = std::exp(0.25 * static_cast<double>(x[i])) / sum;
        softmax(x, 0.25F);
        compare(x, expected, 1e-6);
    }
}

void TestVectorLoops::softmaxOfExtremes()
{
    softmax({}, 1.0F);
    std::vector<float> x = {-3e38F, 0.0F, 1000.0F, 1000.0F, -1000.0F, 1000.0F, 0.0F, 0.0F, 1000.0F};
    softmax(x, 1.0F);
    for (const std::size_t i : {2U, 3U, 5U, 8U})
        QCOMPARE(x[i], 0.25F);
    for (const std::size_t i : {0U, 1U, 4U, 6U, 7U})
        QVERIFY(x[i] >= 0 && x[i] < 1e-37F);
}

void TestVectorLoops::siluTimesIsTheFormula()
{
    for (const std::size_t n : kLengths)
    {
        const auto gate = normals(n, 9, 5);
        const auto up = normals(n, 10);
        std::vector<double> expected(n);
        for (std::size_t i = 0; i < n; ++i)
        {
            const auto g = static_cast<double>(gate[i]);
            expected[i] = g / (1 + std::exp(-g)) * static_cast<double>(up[i]);
        }
        std::vector<float> out(n);
        siluTimes(gate, up, out);
        compare(out, expected, 1e-6);
    }
    const std::vector<float> far = {-1e4F, -200.0F, -88.5F, 88.5F, 1e4F};
    const std::vector<float> ones(5, 1.0F);
    std::vector<float> out(5);
    siluTimes(far, ones, out);
    QVERIFY(std::abs(out[0]) < 1e-30F && std::abs(out[1]) < 1e-30F && std::abs(out[2]) < 1e-30F);
    QVERIFY(out[3] == 88.5F && out[4] == 1e4F);
}

void TestVectorLoops::siluAlone()
{
    for (const std::size_t n : kLengths)
    {
        auto x = normals(n, 9, 5);
        const std::vector<float> ones(n, 1.0F);
        std::vector<float> expected(n);
        siluTimes(x, ones, expected);
        silu(x);
        QCOMPARE(x, expected);
    }
}

void TestVectorLoops::geluInItsTanhForm()
{
    std::vector<float> x(2001);
    std::vector<double> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        x[i] = static_cast<float>(i) * 0.01F - 10.0F;
        const auto v = static_cast<double>(x[i]);
        const double u = std::sqrt(2 / std::numbers::pi) * (v + 0.044715 * v * v * v);
        expected[i] = v / (1 + std::exp(-2 * u)); // 0.5 v (1 + tanh(u))
    }
    geluTanh(x);
    compare(x, expected, 1e-6);
}

void TestVectorLoops::cappedByTanh()
{
    for (const float cap : {0.5F, 3.0F, 50.0F})
    {
        std::vector<float> x(2001);
        std::vector<double> expected(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
        {
            x[i] = (static_cast<float>(i) - 1000) * 0.05F;
            expected[i] =
                static_cast<double>(cap) * std::tanh(0.25 * static_cast<double>(x[i]) / static_cast<double>(cap));
        }
        x.push_back(1e6F);
        x.push_back(-1e6F);
        capTanh(x, 0.25F, cap);
        QCOMPARE(x[x.size() - 2], cap);
        QCOMPARE(x.back(), -cap);
        x.resize(expected.size());
        compare(x, expected, 1e-6);
    }
}

void TestVectorLoops::geluIsTheErfForm()
{
    std::vector<float> x(2001);
    std::vector<double> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        x[i] = static_cast<float>(i) * 0.01F - 10.0F;
        expected[i] = 0.5 * static_cast<double>(x[i]) * std::erfc(-static_cast<double>(x[i]) / std::sqrt(2.0));
    }
    gelu(x);
    compare(x, expected, 5e-7);
}

void TestVectorLoops::rotationKeepsLengthAndInverts()
{
    for (const std::size_t half : {1UL, 4UL, 8UL, 13UL, 16UL, 32UL, 64UL})
    {
        const auto original = normals(2 * half, 11);
        std::vector<float> cosines(half), sines(half), back(half);
        for (std::size_t i = 0; i < half; ++i)
        {
            cosines[i] = std::cos(static_cast<float>(i + 1));
            sines[i] = std::sin(static_cast<float>(i + 1));
            back[i] = -sines[i];
        }
        auto x = original;
        rotateHalves(x, cosines, sines);
        for (std::size_t i = 0; i < half; ++i)
        {
            QVERIFY(std::abs(x[i] - (original[i] * cosines[i] - original[i + half] * sines[i])) < 1e-6F);
            QVERIFY(std::abs(x[i + half] - (original[i + half] * cosines[i] + original[i] * sines[i])) < 1e-6F);
        }
        rotateHalves(x, cosines, back);
        for (std::size_t i = 0; i < 2 * half; ++i)
            QVERIFY(std::abs(x[i] - original[i]) < 1e-6F);
    }
}

HEADSCOPE_TEST_GUILESS(TestVectorLoops)
#include "tst_vector_loops.moc"
