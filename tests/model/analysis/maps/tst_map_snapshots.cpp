// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_snapshots.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;

class MakeMapTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wholeRun();
    void publishesOnTheWay();
    void snapshotsReuseTheirBuffers();
    void tooFewPoints();
};

namespace
{

HeadPoints somePoints(std::int64_t rows)
{
    auto clouds = test::headLikeClouds(rows, 8, 4);
    return {std::move(clouds.vectors), {std::move(clouds.document), std::move(clouds.head)}, 3, {}};
}

TsneOptions shortRun()
{
    TsneOptions options;
    options.perplexities = {8.0};
    options.iterations = 30;
    options.exaggerationIterations = 10;
    return options;
}

/// A map of layer 5, stage 2, from the first to the last iteration.
Result<HeadMap> runMap(const HeadPoints& points, const TsneOptions& options, int threads, JobContext& job,
                       const TsneState::OnIteration& onIteration = {})
{
    HEADSCOPE_TRY(TsneState state, TsneState::create(points.vectors.view(), options, threads, job));
    HEADSCOPE_CHECK(state.run(options.iterations, job, onIteration));
    state.updateKl();
    HeadMap map = snapshotMap(state, frameOfMap(points, Stage::OutputSegment, LayerIndex(5), options));
    map.hash = state.hash();
    return map;
}

} // namespace

void MakeMapTest::wholeRun()
{
    const HeadPoints points = somePoints(200);
    JobContext job;
    const auto map = runMap(points, shortRun(), 2, job);
    HEADSCOPE_VERIFY_OK(map);
    QCOMPARE(map->xy.rows(), points.vectors.rows());
    QCOMPARE(map->points->document, points.ids.document);
    QCOMPARE(map->iteration, 30);
    QVERIFY(std::isfinite(map->kl));
    QCOMPARE(map->hash.size(), std::size_t{32});
    QCOMPARE(map->inputHash.size(), std::size_t{32});
    QCOMPARE(map->leftOut, 3);
    QVERIFY(map->stage == Stage::OutputSegment && map->layer == LayerIndex(5));
    QCOMPARE(runMap(points, shortRun(), 1, job)->hash, map->hash);
}

void MakeMapTest::publishesOnTheWay()
{
    const HeadPoints points = somePoints(120);
    const HeadMap frame = frameOfMap(points, Stage::OutputSegment, LayerIndex(5), shortRun());
    JobContext job;
    std::vector<HeadMap> seen;
    const auto map =
        runMap(points, shortRun(), 2, job, [&](const TsneState& state) { seen.push_back(snapshotMap(state, frame)); });
    HEADSCOPE_VERIFY_OK(map);
    QCOMPARE(seen.size(), std::size_t{30});
    QCOMPARE(seen.front().iteration, 1);
    QVERIFY(seen.back().xy == map->xy);
    QVERIFY(seen.front().points.get() == seen.back().points.get());
}

void MakeMapTest::snapshotsReuseTheirBuffers()
{
    const HeadPoints points = somePoints(400);
    TsneOptions options = shortRun();
    options.exactBelow = 0;
    options.exactNeighborsBelow = 0; // points stand in another order inside
    JobContext job;
    auto state = TsneState::create(points.vectors.view(), options, 2, job);
    HEADSCOPE_VERIFY_OK(state);
    auto snapshots = std::make_unique<MapSnapshots>(frameOfMap(points, Stage::HeadOutput, LayerIndex(0), options));
    std::shared_ptr<const HeadMap> shown; // as a viewer holds it
    std::vector<const HeadMap*> seen;
    HEADSCOPE_VERIFY_OK(state->run(30, job, [&](const TsneState& now) {
        const auto next = snapshots->take(now);
        QVERIFY(next.get() != shown.get());
        QVERIFY(next->xy == now.positions());
        QCOMPARE(next->iteration, now.iteration());
        if (std::find(seen.begin(), seen.end(), next.get()) == seen.end())
            seen.push_back(next.get());
        shown = next;
    }));
    QCOMPARE(seen.size(), std::size_t{2});
    const MatrixF last = shown->xy;
    snapshots.reset();
    QVERIFY(shown->xy == last); // a frame outlives its maker
}

void MakeMapTest::tooFewPoints()
{
    JobContext job;
    HEADSCOPE_VERIFY_ERROR(runMap(somePoints(20), TsneOptions(), 1, job), ErrorCode::InvalidArgument,
                           "perplexity from 1 to 19");
}

HEADSCOPE_TEST_GUILESS(MakeMapTest)
#include "tst_map_snapshots.moc"
