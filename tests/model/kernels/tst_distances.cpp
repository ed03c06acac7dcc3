// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"
#include "model/kernels/distances.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

using namespace headscope;

namespace
{

std::vector<float> numbers(std::size_t count, std::uint64_t seed)
{
    const CounterRandom random(seed);
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(random.normal(i)));
    return values;
}

} // namespace

class DistancesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstPlainLoops_data();
    void againstPlainLoops();
    void symmetricToTheBit();
    void scanKeepsWhatIsNotAbove_data();
    void scanKeepsWhatIsNotAbove();
    void scanStopsWhenFull();
    void smallestIsTheFirstOfEquals_data();
    void smallestIsTheFirstOfEquals();
    void bothWaysKeepsForEachEnd_data();
    void bothWaysKeepsForEachEnd();
};

void DistancesTest::againstPlainLoops_data()
{
    QTest::addColumn<int>("dims");
    for (const int dims : {1, 3, 7, 8, 16, 17, 33, 128, 131})
        QTest::addRow("%d", dims) << dims;
}

void DistancesTest::againstPlainLoops()
{
    QFETCH(int, dims);
    const auto a = numbers(static_cast<std::size_t>(dims), 1);
    const auto rows = numbers(static_cast<std::size_t>(5 * dims), 2);
    const std::vector<double> scales = {1, 2, 0.5, 3, 0};
    const std::vector<std::int32_t> ids = {4, 0, 2};
    double out[3];
    squaredDistances(a.data(), 1.5, rows.data(), dims, scales.data(), ids.data(), 3, dims, out);
    for (std::size_t i = 0; i < 3; ++i)
    {
        double sum = 0;
        const auto row = static_cast<std::size_t>(ids[i]);
        for (std::size_t k = 0; k < a.size(); ++k)
            sum += std::pow(
                1.5 * static_cast<double>(a[k]) - scales[row] * static_cast<double>(rows[row * a.size() + k]), 2);
        QVERIFY(std::abs(out[i] - sum) <= 1e-13 * sum);
    }
    double dot = 0;
    double square = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
    {
        dot += static_cast<double>(a[k]) * static_cast<double>(rows[k]);
        square += static_cast<double>(a[k]) * static_cast<double>(a[k]);
    }
    QVERIFY(std::abs(dotProduct(a.data(), rows.data(), dims) - dot) <= 1e-13 * square);
    QVERIFY(std::abs(squaredNorm(a.data(), dims) - square) <= 1e-13 * square);
}

void DistancesTest::symmetricToTheBit()
{
    for (const std::int64_t dims : {1, 5, 19, 64, 77})
    {
        const auto a = numbers(static_cast<std::size_t>(dims), 3);
        const auto b = numbers(static_cast<std::size_t>(dims), 4);
        double ab = 0;
        double ba = 0;
        const double scaleA = 0.37;
        const double scaleB = 1.91;
        squaredDistances(a.data(), scaleA, b.data(), dims, &scaleB, nullptr, 1, dims, &ab);
        squaredDistances(b.data(), scaleB, a.data(), dims, &scaleA, nullptr, 1, dims, &ba);
        QCOMPARE(ab, ba);
        squaredDistances(a.data(), scaleA, a.data(), dims, &scaleA, nullptr, 1, dims, &ab);
        QCOMPARE(ab, 0.0);
    }
}

void DistancesTest::scanKeepsWhatIsNotAbove_data()
{
    QTest::addColumn<int>("count");
    for (const int count : {0, 1, 15, 16, 31, 32, 33, 100, 1000})
        QTest::addRow("%d", count) << count;
}

void DistancesTest::scanKeepsWhatIsNotAbove()
{
    QFETCH(int, count);
    const auto values = numbers(static_cast<std::size_t>(count), 5);
    const auto bias = numbers(static_cast<std::size_t>(count), 6);
    std::vector<float> kept(static_cast<std::size_t>(count + kScanSlack));
    std::vector<std::int32_t> ids(kept.size());
    const ScanStep step = scanBelow(values.data(), bias.data(), count, 0.25F, 1000, kept.data(), ids.data(),
                                    static_cast<std::int64_t>(kept.size()));
    QCOMPARE(step.consumed, std::int64_t{count});
    std::size_t at = 0;
    for (std::size_t j = 0; j < values.size(); ++j)
    {
        if (values[j] + bias[j] > 0.25F)
            continue;
        QCOMPARE(ids[at], static_cast<std::int32_t>(1000 + j));
        QCOMPARE(kept[at], values[j] + bias[j]);
        ++at;
    }
    QCOMPARE(step.appended, static_cast<std::int64_t>(at));
}

void DistancesTest::scanStopsWhenFull()
{
    const std::vector<float> values(500, -1.0F);
    const std::vector<float> bias(500, 0.0F);
    std::vector<float> kept(200);
    std::vector<std::int32_t> ids(200);
    std::int64_t done = 0;
    std::int64_t total = 0;
    while (done < 500)
    {
        const ScanStep step = scanBelow(values.data() + done, bias.data() + done, 500 - done, 0.0F,
                                        static_cast<std::int32_t>(done), kept.data(), ids.data(), 200);
        QVERIFY(step.consumed > 0);
        QCOMPARE(step.consumed, step.appended);
        QCOMPARE(ids[0], static_cast<std::int32_t>(done));
        done += step.consumed;
        total += step.appended;
    }
    QCOMPARE(total, 500);
}

void DistancesTest::smallestIsTheFirstOfEquals_data()
{
    scanKeepsWhatIsNotAbove_data();
}

void DistancesTest::smallestIsTheFirstOfEquals()
{
    QFETCH(int, count);
    if (count == 0)
        return;
    auto values = numbers(static_cast<std::size_t>(count), 8);
    const std::vector<float> bias(values.size(), 0.5F);
    for (std::size_t at = 0; at < values.size(); at += 7)
    {
        values[at] = values[values.size() - 1] = -100.0F - static_cast<float>(at);
        QCOMPARE(smallestOf(values.data(), bias.data(), count), static_cast<std::int64_t>(at));
    }
    const std::vector<float> none(values.size(), std::numeric_limits<float>::quiet_NaN());
    QCOMPARE(smallestOf(none.data(), bias.data(), count), 0);
}

void DistancesTest::bothWaysKeepsForEachEnd_data()
{
    scanKeepsWhatIsNotAbove_data();
}

void DistancesTest::bothWaysKeepsForEachEnd()
{
    QFETCH(int, count);
    const auto length = static_cast<std::size_t>(count + kScanSlack);
    const auto values = numbers(length, 9);
    const auto bias = numbers(length, 10);
    const auto limits = numbers(length, 11);
    const float rowBias = 0.3F;
    const float rowLimit = -0.1F;
    std::vector<float> rowValues(length);
    std::vector<float> columnValues(length);
    std::vector<std::int32_t> rowIds(length);
    std::vector<std::int32_t> columnIds(length);
    const BothWaysStep step = scanBothWays(values.data(), bias.data(), limits.data(), count, rowBias, rowLimit, 500,
                                           rowValues.data(), rowIds.data(), columnValues.data(), columnIds.data());
    std::size_t row = 0;
    std::size_t column = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j)
    {
        if (values[j] + bias[j] <= rowLimit)
        {
            QCOMPARE(rowIds[row], static_cast<std::int32_t>(500 + j));
            QCOMPARE(rowValues[row++], values[j] + bias[j]);
        }
        if (values[j] + rowBias <= limits[j])
        {
            QCOMPARE(columnIds[column], static_cast<std::int32_t>(500 + j));
            QCOMPARE(columnValues[column++], values[j] + rowBias);
        }
    }
    QCOMPARE(step.row, static_cast<std::int64_t>(row));
    QCOMPARE(step.column, static_cast<std::int64_t>(column));
}

HEADSCOPE_TEST_GUILESS(DistancesTest)
#include "tst_distances.moc"
