// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"
#include "model/kernels/exponentials.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;

class ExponentialsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gaussianRow();
    void softmax_data();
    void softmax();
    void farLogits();
    void changesAreTheJacobian();
};

void ExponentialsTest::gaussianRow()
{
    for (const std::int64_t count : {1, 7, 8, 9, 90})
    {
        std::vector<double> distances;
        for (std::int64_t j = 0; j < count; ++j)
            distances.push_back(5.0 + 0.37 * static_cast<double>(j * j));
        std::vector<double> weights(distances.size());
        const GaussianSums sums = gaussianWeights(distances.data(), count, 5.0, 0.21, weights.data());
        double weight = 0;
        double first = 0;
        double second = 0;
        for (std::size_t j = 0; j < distances.size(); ++j)
        {
            const double delta = distances[j] - 5.0;
            const double w = std::exp(-0.21 * delta);
            QVERIFY(std::abs(weights[j] - w) <= 1e-14 * w + 1e-300);
            weight += w;
            first += w * delta;
            second += w * delta * delta;
        }
        QVERIFY(std::abs(sums.weight - weight) <= 1e-14 * weight);
        QVERIFY(std::abs(sums.first - first) <= 1e-13 * (first + 1));
        QVERIFY(std::abs(sums.second - second) <= 1e-13 * (second + 1));
    }
}

void ExponentialsTest::softmax_data()
{
    QTest::addColumn<int>("classes");
    for (const int classes : {2, 3, 8, 9, 15, 16, 17, 32, 33})
        QTest::addRow("%d", classes) << classes;
}

void ExponentialsTest::softmax()
{
    QFETCH(int, classes);
    const CounterRandom random(4);
    const std::int64_t rows = 5;
    const auto width = static_cast<std::size_t>(classes);
    std::vector<double> logits;
    std::vector<double> bias;
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < 5 * width; ++i)
        logits.push_back(4 * random.normal(i));
    for (std::size_t k = 0; k < width; ++k)
        bias.push_back(random.normal(1000 + k));
    for (std::int32_t i = 0; i < 5; ++i)
        labels.push_back(i * (classes - 1) / 4); // the first class, the last, and some between
    std::vector<float> logits32(logits.begin(), logits.end());
    const std::vector<float> bias32(bias.begin(), bias.end());
    const std::vector<double> before = logits;
    std::vector<double> sums(width);
    std::vector<double> sums32(width);
    const double loss =
        softmaxResiduals(logits.data(), rows, classes, classes, bias.data(), labels.data(), sums.data());
    const double loss32 =
        softmaxResiduals(logits32.data(), rows, classes, classes, bias32.data(), labels.data(), sums32.data());
    double expectedLoss = 0;
    for (std::size_t i = 0; i < 5; ++i)
    {
        double total = 0;
        for (std::size_t k = 0; k < width; ++k)
            total += std::exp(before[i * width + k] + bias[k]);
        const auto label = static_cast<std::size_t>(labels[i]);
        expectedLoss -= std::log(std::exp(before[i * width + label] + bias[label]) / total);
        for (std::size_t k = 0; k < width; ++k)
        {
            const double expected = std::exp(before[i * width + k] + bias[k]) / total - (k == label ? 1.0 : 0.0);
            QVERIFY(std::abs(logits[i * width + k] - expected) <= 1e-13);
            QVERIFY(std::abs(static_cast<double>(logits32[i * width + k]) - expected) <= 1e-5);
        }
    }
    QVERIFY(std::abs(loss - expectedLoss) <= 1e-12 * expectedLoss);
    QVERIFY(std::abs(loss32 - expectedLoss) <= 1e-5 * expectedLoss);
    double residuals = 0;
    for (std::size_t k = 0; k < width; ++k)
        residuals += sums[k];
    QVERIFY(std::abs(residuals) < 1e-12); // residuals of a row sum to zero
}

void ExponentialsTest::farLogits()
{
    double logits[] = {-4000, 3000, 2999};
    const double bias[] = {0, 0, 0};
    const std::int32_t label = 0;
    double sums[3] = {};
    const double loss = softmaxResiduals(logits, 1, 3, 3, bias, &label, sums);
    QVERIFY(std::abs(loss - (7000 + std::log1p(std::exp(-1.0)))) < 1e-9);
    QVERIFY(std::isfinite(logits[0]) && std::isfinite(logits[1]) && std::isfinite(logits[2]));
}

void ExponentialsTest::changesAreTheJacobian()
{
    constexpr std::int64_t kRows = 5;
    constexpr std::int64_t kClasses = 19;
    constexpr std::int64_t kStride = 32;
    const CounterRandom random(6);
    std::vector<float> p(kRows * kStride);
    std::vector<double> bias(kStride);
    std::vector<double> changes(kRows * kStride);
    for (std::int64_t i = 0; i < kRows; ++i)
    {
        for (std::int64_t k = 0; k < kClasses; ++k)
        {
            p[static_cast<std::size_t>(i * kStride + k)] =
                static_cast<float>(random.uniform(static_cast<std::uint64_t>(i * kStride + k)) / kClasses);
            changes[static_cast<std::size_t>(i * kStride + k)] =
                random.normal(static_cast<std::uint64_t>(1000 + i * kStride + k));
            bias[static_cast<std::size_t>(k)] = random.normal(static_cast<std::uint64_t>(2000 + k));
        }
    }
    const auto before = changes;
    std::vector<float> narrow(changes.begin(), changes.end());
    const std::vector<float> narrowBias(bias.begin(), bias.end());
    std::vector<double> sums(kStride, 1.0); // added to
    std::vector<double> narrowSums(kStride, 1.0);
    softmaxChanges(changes.data(), p.data(), kRows, kStride, bias.data(), sums.data());
    softmaxChanges(narrow.data(), p.data(), kRows, kStride, narrowBias.data(), narrowSums.data());
    std::vector<double> expectedSums(kStride, 1.0);
    for (std::size_t i = 0; i < kRows; ++i)
    {
        double mean = 0;
        for (std::size_t k = 0; k < kStride; ++k)
            mean += static_cast<double>(p[i * kStride + k]) * (before[i * kStride + k] + bias[k]);
        for (std::size_t k = 0; k < kStride; ++k)
        {
            const double expected =
                static_cast<double>(p[i * kStride + k]) * (before[i * kStride + k] + bias[k] - mean);
            QVERIFY(std::abs(changes[i * kStride + k] - expected) <= 1e-15);
            QVERIFY(std::abs(static_cast<double>(narrow[i * kStride + k]) - expected) <= 1e-6);
            expectedSums[k] += expected;
        }
    }
    for (std::size_t k = 0; k < kStride; ++k)
    {
        QVERIFY(std::abs(sums[k] - expectedSums[k]) <= 1e-14);
        QVERIFY(std::abs(narrowSums[k] - expectedSums[k]) <= 1e-6);
    }
}

HEADSCOPE_TEST_GUILESS(ExponentialsTest)
#include "tst_exponentials.moc"
