// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/edge_blocks.h"
#include "model/base/random.h"
#include "tests/support/memory_peak.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>

using namespace headscope;

class EdgeBlocksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void halfNearFull();
    void negligibleEdges();
    void memory();
    void cancelled();
};

namespace
{

constexpr std::int64_t kPoints = 1300; // two blocks and a part

void someRow(std::int64_t point, std::vector<JointEdge<float>>& into)
{
    const CounterRandom random(static_cast<std::uint64_t>(point));
    into.clear();
    for (std::int32_t e = 0; e < static_cast<std::int32_t>(point % 40); ++e)
    {
        const auto column = static_cast<std::int32_t>((point + 1 + 3 * e) % kPoints);
        into.push_back({column, static_cast<float>(1e-6 * std::exp(5 * random.normal(static_cast<std::uint64_t>(e))))});
    }
}

} // namespace

void EdgeBlocksTest::halfNearFull()
{
    JobContext job;
    const auto full = EdgeBlocks::make(kPoints, someRow, EdgePrecision::Full, 2, job);
    HEADSCOPE_VERIFY_OK(full);
    const auto half = EdgeBlocks::make(kPoints, someRow, EdgePrecision::Half, 3, job);
    HEADSCOPE_VERIFY_OK(half);
    double total = 0;
    double entropy = 0;
    std::vector<JointEdge<float>> row;
    for (std::int64_t i = 0; i < kPoints; ++i)
    {
        someRow(i, row);
        for (const auto& edge : row)
        {
            const auto p = static_cast<double>(edge.value);
            total += p;
            entropy += p * std::log(p);
        }
    }
    QVERIFY(std::abs(full->total() - total) <= 1e-6 * total && full->total() == half->total());
    QVERIFY(std::abs(full->entropy() / entropy - 1) < 1e-6 && full->entropy() == half->entropy());
    std::vector<float> xy;
    for (std::size_t i = 0; i < 2 * kPoints; ++i)
        xy.push_back(static_cast<float>(CounterRandom(1).normal(i)));
    double error = 0;
    double size = 0;
    for (std::int64_t block = 0; block < 3; ++block)
    {
        std::vector<float> a(2 * EdgeBlocks::kRows);
        std::vector<float> b(2 * EdgeBlocks::kRows);
        double logsA = 0;
        double logsB = 0;
        full->forces(block, xy.data(), 1, a.data(), &logsA);
        half->forces(block, xy.data(), 1, b.data(), &logsB);
        QVERIFY(std::abs(logsA / logsB - 1) < 2e-4);
        for (std::size_t i = 0; i < a.size(); ++i)
        {
            error += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
            size += std::pow(static_cast<double>(a[i]), 2);
        }
    }
    QVERIFY(size > 0 && std::sqrt(error / size) < 2e-4);
}

void EdgeBlocksTest::negligibleEdges()
{
    JobContext job;
    const auto twoEdges = [](std::int64_t, std::vector<JointEdge<float>>& into) { into = {{0, 1.0F}, {1, 1e-9F}}; };
    const auto edges = EdgeBlocks::make(3, twoEdges, EdgePrecision::Full, 1, job);
    HEADSCOPE_VERIFY_OK(edges);
    const std::vector<float> xy = {0, 0, 3, 1, 0, 1};
    std::vector<float> into(6);
    edges->forces(0, xy.data(), 1, into.data(), nullptr);
    QCOMPARE(into[4], 0.0F); // the faint edge alone would pull along x
    QCOMPARE(into[5], 0.5F);
    QVERIFY(std::abs(edges->total() - 3) < 1e-6);
}

/// What a map of many points takes at most is decided here.
void EdgeBlocksTest::memory()
{
    constexpr std::int32_t kMany = 60'000;
    constexpr std::int32_t kEach = 60;
    JobContext job;
    const test::MemoryPeak peak;
    JointRows<float> rows(kMany, kEach);
    std::vector<JointEdge<float>> row;
    for (std::int32_t point = 0; point < kMany; ++point)
    {
        row.clear();
        for (std::int32_t e = 1; e <= kEach; ++e) // no pair is mutual
            row.push_back({(point + 7 * e) % kMany, 1.0F / kEach});
        rows.setRow(point, row);
    }
    const auto edges = EdgeBlocks::make(rows, EdgePrecision::Half, 2, job);
    HEADSCOPE_VERIFY_OK(edges);
    QVERIFY(std::abs(edges->total() - 1) < 1e-5);
    const auto taken = peak.bytes();
    if (!taken)
        QSKIP("the peak of this process cannot be asked for here");
    // As sparseAffinityBytes counts.
    const double said = (8.0 + 2 * 6) * kMany * kEach + JointRows<float>::visitBytes(kMany, kEach);
    QVERIFY2(*taken < 1.15 * said && said < 1.15 * *taken,
             qPrintable(QStringLiteral("said %1 MB, took %2 MB").arg(said / 1e6).arg(*taken / 1e6)));
}

void EdgeBlocksTest::cancelled()
{
    std::stop_source stop;
    JobContext job(stop.get_token());
    int rows = 0;
    const auto rowOf = [&](std::int64_t point, std::vector<JointEdge<float>>& into) {
        someRow(point, into);
        if (++rows == 5)
            stop.request_stop();
    };
    HEADSCOPE_VERIFY_ERROR(EdgeBlocks::make(kPoints, rowOf, EdgePrecision::Half, 1, job), ErrorCode::Cancelled, "");
    QVERIFY(rows <= EdgeBlocks::kRows);
}

HEADSCOPE_TEST_GUILESS(EdgeBlocksTest)
#include "tst_edge_blocks.moc"
