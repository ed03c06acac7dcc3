// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/retrieval/vector_change.h"

#include "model/analysis/statistics/intervals.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace
{

MatrixF randomRows(std::int64_t rows, std::uint64_t seed)
{
    const CounterRandom random(seed);
    MatrixF made(rows, 6);
    for (std::size_t i = 0; i < made.values().size(); ++i)
        made.values()[i] = static_cast<float>(random.uniform(i) - 0.5);
    return made;
}

} // namespace

class TestVectorChange : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingChanged()
    {
        const MatrixF rows = randomRows(40, 1);
        JobContext job;
        const auto change = vectorChange(rows.view(), rows.view(), 1, 2, job);
        HEADSCOPE_VERIFY_OK(change);
        QCOMPARE(change->k(), kChangeNeighbors);
        for (std::size_t i = 0; i < change->cosine.size(); ++i)
        {
            QVERIFY(std::abs(change->cosine[i] - 1) < 1e-12);
            QCOMPARE(change->kept[i], kChangeNeighbors);
        }
        QVERIFY(change->before == change->after);
        QCOMPARE(change->meanKept.value, 1.0);
        QCOMPARE(change->meanKept.ci95.low, wilsonInterval(40, 40).low); // of documents, however sure of these
        QCOMPARE(change->meanKept.ci95.high, 1.0);
    }

    /// Scaling changes no direction, and a turn of one document only its own.
    void oneDocumentTurned()
    {
        const MatrixF before = randomRows(30, 2);
        MatrixF after = before;
        for (float& value : after.values())
            value *= 3;
        for (float& value : after.row(4))
            value = -value;
        JobContext job;
        const auto change = vectorChange(before.view(), after.view(), 1, 1, job);
        HEADSCOPE_VERIFY_OK(change);
        QVERIFY(std::abs(change->cosine[4] + 1) < 1e-6);
        QVERIFY(std::abs(change->cosine[5] - 1) < 1e-6);
        QVERIFY(change->kept[4] < kChangeNeighbors);
        QVERIFY(std::abs(change->meanCosine.value - 28.0 / 30) < 1e-6);
        QVERIFY(change->meanCosine.ci95.low < change->meanCosine.value);
        // By hand: the nearest before of document 0.
        double best = -2;
        std::int64_t nearest = -1;
        const auto dot = [&](std::int64_t a, std::int64_t b) {
            double sum = 0;
            for (std::int64_t d = 0; d < 6; ++d)
                sum += static_cast<double>(before(a, d)) * static_cast<double>(before(b, d));
            return sum;
        };
        for (std::int64_t other = 1; other < 30; ++other)
            if (const double cosine = dot(0, other) / std::sqrt(dot(0, 0) * dot(other, other)); cosine > best)
            {
                best = cosine;
                nearest = other;
            }
        QCOMPARE(change->before(0, 0), nearest);
    }

    void fewDocuments()
    {
        JobContext job;
        const MatrixF two = randomRows(2, 3);
        const auto change = vectorChange(two.view(), randomRows(2, 4).view(), 1, 1, job);
        HEADSCOPE_VERIFY_OK(change);
        QCOMPARE(change->k(), 1);
        QCOMPARE(change->kept, (std::vector<std::int64_t>{1, 1})); // there is no other
        HEADSCOPE_VERIFY_ERROR(vectorChange(randomRows(1, 3).view(), randomRows(1, 3).view(), 1, 1, job),
                               ErrorCode::InvalidArgument, "expected at least two documents");
        HEADSCOPE_VERIFY_ERROR(vectorChange(two.view(), randomRows(3, 3).view(), 1, 1, job), ErrorCode::ShapeMismatch,
                               "expected 2 vectors of 6 numbers, found 3 of 6");
    }

    void zeroVectorsHaveNoCosine()
    {
        const MatrixF before = randomRows(12, 5);
        MatrixF after = before;
        for (float& value : after.row(2))
            value = 0;
        JobContext job;
        const auto change = vectorChange(before.view(), after.view(), 1, 1, job);
        HEADSCOPE_VERIFY_OK(change);
        QVERIFY(std::isnan(change->cosine[2]));
        QVERIFY(std::abs(change->meanCosine.value - 1) < 1e-6); // of those that have one
    }
};

HEADSCOPE_TEST_GUILESS(TestVectorChange)
#include "tst_vector_change.moc"
