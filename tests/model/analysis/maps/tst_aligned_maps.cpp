// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/aligned_maps.h"
#include "model/analysis/tsne/principal_components.h"
#include "model/analysis/tsne/tsne_state.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;

namespace
{

constexpr std::int64_t kDocuments = 150;
constexpr std::int64_t kHeads = 6;

/// Head h of every document, as a cache holds them: strided rows.
std::vector<AlignedSet> setsOf(const MatrixF& vectors)
{
    std::vector<AlignedSet> sets;
    const std::int64_t dims = vectors.cols();
    sets.push_back({ConstMatrixView(vectors.data(), kDocuments, kHeads * dims), false});
    for (std::int64_t head = 0; head < kHeads; ++head)
        sets.push_back({ConstMatrixView(vectors.data() + head * dims, kDocuments, dims, kHeads * dims)});
    return sets;
}

TsneOptions shortRun()
{
    TsneOptions options;
    options.perplexities = {10.0};
    options.iterations = 60;
    options.exaggerationIterations = 20;
    return options;
}

} // namespace

class AlignedMapsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameOnAnyNumberOfThreads_data();
    void sameOnAnyNumberOfThreads();
    void equalSetsGiveEqualMaps();
    void oneSetIsItsOwnMap();
    void commonStartIsAConsensus();
    void mapsOfOneSourceAgree();
    void progressAndCancel();
    void refusals();
};

void AlignedMapsTest::sameOnAnyNumberOfThreads_data()
{
    QTest::addColumn<int>("exactBelow");
    QTest::newRow("dense") << -1;
    QTest::newRow("all pairs") << 4000;
    QTest::newRow("mesh") << 0;
}

void AlignedMapsTest::sameOnAnyNumberOfThreads()
{
    QFETCH(int, exactBelow);
    const MatrixF vectors = test::headLikeClouds(kDocuments * kHeads, 12, kHeads).vectors;
    const auto sets = setsOf(vectors);
    TsneOptions options = shortRun();
    options.exactBelow = exactBelow;
    options.affinities = exactBelow < 0 ? TsneAffinities::Dense : TsneAffinities::Sparse;
    JobContext job;
    std::string first;
    for (const int threads : {1, 2, 3, 8})
    {
        const auto made = alignedMaps(sets, options, threads, job);
        HEADSCOPE_VERIFY_OK(made);
        QCOMPARE(made->maps.size(), sets.size());
        if (first.empty())
            first = made->hash;
        QCOMPARE(made->hash, first);
        for (const AlignedMap& map : made->maps)
        {
            QVERIFY(std::isfinite(map.kl));
            QCOMPARE(map.xy.rows(), kDocuments);
            double sum[2] = {0, 0};
            for (std::int64_t i = 0; i < kDocuments; ++i)
            {
                QVERIFY(std::isfinite(map.xy(i, 0)) && std::isfinite(map.xy(i, 1)));
                sum[0] += static_cast<double>(map.xy(i, 0));
                sum[1] += static_cast<double>(map.xy(i, 1));
            }
            QVERIFY(std::abs(sum[0]) < 1e-2 && std::abs(sum[1]) < 1e-2);
            QCOMPARE(map.fit.motion.scale, 1.0);
        }
    }
}

void AlignedMapsTest::equalSetsGiveEqualMaps()
{
    const MatrixF vectors = test::headLikeClouds(kDocuments * kHeads, 8, kHeads).vectors;
    auto sets = setsOf(vectors);
    sets = {sets[1], sets[2], sets[1]};
    JobContext job;
    const auto made = alignedMaps(sets, shortRun(), 2, job);
    HEADSCOPE_VERIFY_OK(made);
    QVERIFY(made->maps[0].xy == made->maps[2].xy);
    QVERIFY(!(made->maps[0].xy == made->maps[1].xy));
    QCOMPARE(made->maps[0].inputHash, made->maps[2].inputHash);
}

void AlignedMapsTest::oneSetIsItsOwnMap()
{
    const MatrixF rows = test::headLikeClouds(200, 8, 1).vectors;
    const std::vector<AlignedSet> sets = {{rows.view()}};
    JobContext job;
    const auto made = alignedMaps(sets, shortRun(), 2, job);
    HEADSCOPE_VERIFY_OK(made);
    auto alone = TsneState::create(rows.view(), shortRun(), 2, job);
    HEADSCOPE_VERIFY_OK(alone);
    HEADSCOPE_VERIFY_OK(alone->run(60, job));
    MatrixF moved = alone->positions();
    applyMotion(made->maps[0].fit.motion, moved.view());
    QVERIFY(made->maps[0].xy == moved);
}

void AlignedMapsTest::commonStartIsAConsensus()
{
    const MatrixF vectors = test::headLikeClouds(kDocuments * kHeads, 12, kHeads).vectors;
    const auto sets = setsOf(vectors);
    JobContext job;
    const auto start = commonStart(sets, Metric::Euclidean, 2, job);
    HEADSCOPE_VERIFY_OK(start);
    QVERIFY(*commonStart(sets, Metric::Euclidean, 3, job) == *start);
    double squares = 0;
    for (std::int64_t i = 0; i < kDocuments; ++i)
        squares += std::pow(static_cast<double>((*start)(i, 0)), 2);
    QVERIFY(std::abs(std::sqrt(squares / static_cast<double>(kDocuments)) - 1e-4) < 1e-6);
    // A head that is a thousand times as strong has no more say.
    MatrixF loud = vectors;
    for (std::int64_t document = 0; document < kDocuments; ++document)
    {
        for (float& value : loud.row(document * kHeads + 2))
            value *= 1024;
    }
    const auto again = commonStart(setsOf(loud), Metric::Euclidean, 2, job);
    HEADSCOPE_VERIFY_OK(again);
    for (std::size_t i = 0; i < start->values().size(); ++i)
        QVERIFY(std::abs(again->values()[i] - start->values()[i]) < 1e-8F);
    // Nor has one that is silent.
    for (std::int64_t document = 0; document < kDocuments; ++document)
    {
        for (float& value : loud.row(document * kHeads + 3))
            value = 0.25F;
    }
    const auto silent = commonStart(setsOf(loud), Metric::Cosine, 2, job);
    HEADSCOPE_VERIFY_OK(silent);
    for (const float value : silent->values())
        QVERIFY(std::isfinite(value));
}

void AlignedMapsTest::mapsOfOneSourceAgree()
{
    // The same vectors turned in their own space make the same map: from a common start and aligned
    // it must come to lie where the first does.
    const MatrixF rows = test::headLikeClouds(300, 6, 1).vectors;
    MatrixF turned = rows;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        for (std::int64_t k = 0; k < 6; ++k)
            turned(i, k) = k % 2 == 0 ? rows(i, k + 1) : -rows(i, k - 1);
    }
    const std::vector<AlignedSet> sets = {{rows.view()}, {turned.view()}};
    JobContext job;
    const auto made = alignedMaps(sets, shortRun(), 2, job);
    HEADSCOPE_VERIFY_OK(made);
    QVERIFY(made->maps[0].fit.correlation > 0.999);
    double apart = 0;
    double size = 0;
    for (std::size_t i = 0; i < made->maps[0].xy.values().size(); ++i)
    {
        const auto a = static_cast<double>(made->maps[0].xy.values()[i]);
        const auto b = static_cast<double>(made->maps[1].xy.values()[i]);
        apart += (a - b) * (a - b);
        size += a * a;
    }
    QVERIFY2(apart < 0.01 * size, qPrintable(QString::number(apart / size)));
}

void AlignedMapsTest::progressAndCancel()
{
    const MatrixF vectors = test::headLikeClouds(kDocuments * kHeads, 8, kHeads).vectors;
    const auto sets = setsOf(vectors);
    std::uint64_t last = 0;
    std::uint64_t total = 0;
    JobContext watched({}, [&](const Progress& progress) {
        if (progress.stage == "optimising the maps")
        {
            last = progress.done;
            total = progress.total;
        }
    });
    HEADSCOPE_VERIFY_OK(alignedMaps(sets, shortRun(), 3, watched));
    QCOMPARE(total, std::uint64_t{60 * (kHeads + 1)});
    QCOMPARE(last, total);

    std::stop_source stop;
    JobContext job(stop.get_token(), [&stop](const Progress& progress) {
        if (progress.stage == "optimising the maps" && progress.done > 30)
            stop.request_stop();
    });
    HEADSCOPE_VERIFY_ERROR(alignedMaps(sets, shortRun(), 2, job), ErrorCode::Cancelled, "");
}

void AlignedMapsTest::refusals()
{
    JobContext job;
    const MatrixF vectors = test::headLikeClouds(kDocuments * kHeads, 8, kHeads).vectors;
    auto sets = setsOf(vectors);
    HEADSCOPE_VERIFY_ERROR(alignedMaps({}, shortRun(), 2, job), ErrorCode::InvalidArgument, "at least one set");
    TsneOptions options = shortRun();
    options.perplexities = {200};
    HEADSCOPE_VERIFY_ERROR(alignedMaps(sets, options, 2, job), ErrorCode::InvalidArgument, "perplexity");
    const MatrixF start(3, 2);
    HEADSCOPE_VERIFY_ERROR(alignedMaps(sets, shortRun(), 2, job, &start), ErrorCode::ShapeMismatch, "[150, 2]");
    const MatrixF few(149, 8);
    sets.push_back({few.view()});
    HEADSCOPE_VERIFY_ERROR(alignedMaps(sets, shortRun(), 2, job), ErrorCode::ShapeMismatch,
                           "set 7: expected 150 documents in every set, as in the first set, found 149");
    MatrixF broken(kDocuments, 8);
    broken(3, 3) = std::numeric_limits<float>::quiet_NaN();
    sets.back() = {broken.view()};
    HEADSCOPE_VERIFY_ERROR(alignedMaps(sets, shortRun(), 2, job), ErrorCode::InvalidArgument, "");
}

HEADSCOPE_TEST_GUILESS(AlignedMapsTest)
#include "tst_aligned_maps.moc"
