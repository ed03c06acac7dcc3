// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/find_nearest.h"
#include "app/views/map/map_run.h"

#include "tests/app/sample_cache.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/support/waiting.h"

#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace headscope;
using headscope::desktop::MapRequest;
using headscope::desktop::MapRun;
using headscope::ui::MapRunState;

class TestMapRun : public QObject
{
    Q_OBJECT

private:
    static MapRequest request(int iterations, std::int64_t documents = 40)
    {
        const test::SampleCacheOptions options;
        const std::vector<std::int32_t> topics(static_cast<std::size_t>(documents), 0);
        MapRequest made;
        made.vectors = test::sampleVectors(Stage::HeadOutput, LayerIndex(3), documents, topics, options);
        made.heads = allIndices(9);
        made.options.iterations = iterations;
        made.options.exaggerationIterations = std::min(iterations, 100);
        made.options.perplexities = {10};
        made.numThreads = 1;
        return made;
    }

private Q_SLOTS:
    void runsToTheEndAndPublishesOnTheWay()
    {
        MapRun run;
        std::vector<std::shared_ptr<const HeadMap>> maps;
        connect(&run, &MapRun::mapChanged, this, [&maps](const auto& map) { maps.push_back(map); });
        run.start(request(200));
        QCOMPARE(run.state(), MapRunState::Running);
        WAIT_COMPARE(run.state(), MapRunState::Finished);
        QVERIFY(!maps.empty());
        const HeadMap& last = *maps.back();
        QCOMPARE(last.iteration, 200);
        QCOMPARE(last.xy.rows(), 360);
        QVERIFY(!last.hash.empty());
        for (const auto& map : maps)
            QCOMPARE(map->points, last.points); // one set of points: views keep their colours
    }

    void stoppedRunGoesOnToTheSameMap()
    {
        std::string straight;
        {
            MapRun run;
            connect(&run, &MapRun::mapChanged, this, [&straight](const auto& map) { straight = map->hash; });
            run.start(request(3000));
            WAIT_COMPARE(run.state(), MapRunState::Finished);
        }
        MapRun run;
        std::shared_ptr<const HeadMap> map;
        connect(&run, &MapRun::mapChanged, this, [&map](const auto& newer) { map = newer; });
        run.start(request(3000));
        WAIT_FOR(map != nullptr);
        run.stop();
        WAIT_COMPARE(run.state(), MapRunState::Stopped);
        QVERIFY(map->iteration < 3000);
        run.resume();
        QCOMPARE(run.state(), MapRunState::Running);
        WAIT_COMPARE(run.state(), MapRunState::Finished);
        QCOMPARE(map->hash, straight);
    }

    void finishedRunGoesOnWithMore()
    {
        const auto straightOf = [](int iterations) {
            MapRun run;
            std::string hash;
            connect(&run, &MapRun::mapChanged, &run, [&hash](const auto& map) { hash = map->hash; });
            run.start(request(iterations));
            [&] { WAIT_COMPARE(run.state(), MapRunState::Finished); }();
            return hash;
        };
        MapRun run;
        std::shared_ptr<const HeadMap> map;
        connect(&run, &MapRun::mapChanged, this, [&map](const auto& newer) { map = newer; });
        run.start(request(150));
        WAIT_COMPARE(run.state(), MapRunState::Finished);
        run.goOn(50, 1);
        QCOMPARE(run.state(), MapRunState::Running);
        WAIT_COMPARE(run.state(), MapRunState::Finished);
        QCOMPARE(map->iteration, 200);
        QCOMPARE(map->hash, straightOf(200));
        run.goOn(60, 4);
        WAIT_COMPARE(run.state(), MapRunState::Finished);
        QCOMPARE(map->iteration, 260);
        QCOMPARE(map->options.lateExaggeration, 4.0);
        QVERIFY(map->hash != straightOf(260));
    }

    void pausedRunStandsStill()
    {
        MapRun run;
        std::shared_ptr<const HeadMap> map;
        connect(&run, &MapRun::mapChanged, this, [&map](const auto& newer) { map = newer; });
        run.start(request(100'000));
        WAIT_FOR(map != nullptr);
        run.pause();
        QCOMPARE(run.state(), MapRunState::Paused);
        WAIT_FOR(run.stands());
        test::settle(); // what was under way has arrived
        const int iteration = map->iteration;
        test::passMs(1000);
        QVERIFY(run.stands());
        QCOMPARE(map->iteration, iteration);
        run.resume();
        WAIT_FOR(map->iteration > iteration);
        run.pause();
        run.stop();
        WAIT_COMPARE(run.state(), MapRunState::Stopped);
    }

    void newRunSupersedesTheOld()
    {
        MapRun run;
        std::shared_ptr<const HeadMap> map;
        connect(&run, &MapRun::mapChanged, this, [&map](const auto& newer) { map = newer; });
        run.start(request(100'000));
        WAIT_FOR(map != nullptr);
        auto small = request(50);
        small.heads = {1, 2, 3};
        run.start(std::move(small));
        map.reset();
        WAIT_COMPARE(run.state(), MapRunState::Finished);
        QCOMPARE(map->xy.rows(), 120);
    }

    void tooFewPointsSayWhy()
    {
        MapRun run;
        QSignalSpy failed(&run, &MapRun::failed);
        auto few = request(50, 2);
        few.heads = {0};
        run.start(std::move(few));
        WAIT_COMPARE(failed.count(), 1);
        const auto error = failed.at(0).at(0).value<Error>();
        QCOMPARE(error.code, ErrorCode::InvalidArgument);
        QVERIFY(error.sentence().find("perplexity") != std::string::npos);
        QCOMPARE(run.state(), MapRunState::None);
    }

    void destroyedWhileRunningAndWhilePaused()
    {
        for (const bool paused : {false, true})
        {
            MapRun run;
            const QSignalSpy changed(&run, &MapRun::mapChanged);
            run.start(request(100'000));
            WAIT_FOR(!changed.isEmpty()); // it is at work
            if (paused)
            {
                run.pause();
                WAIT_FOR(run.stands());
            }
        }
    }

    void nearestRowsAreOrdered()
    {
        MatrixF rows(4, 2, {1, 0, 0, 1, 1, 0.1F, -1, 0});
        JobContext job;
        const auto nearest = desktop::nearestRows(rows.view(), DocumentIndex(0), 3, {}, 1, job);
        HEADSCOPE_VERIFY_OK(nearest);
        QCOMPARE(nearest->size(), 3u);
        QCOMPARE(nearest->at(0).document, DocumentIndex(2));
        QCOMPARE(nearest->at(1).document, DocumentIndex(1));
        QCOMPARE(nearest->at(2).document, DocumentIndex(3));
        QVERIFY(std::abs(nearest->at(1).cosine) < 1e-9);
        QVERIFY(std::abs(nearest->at(2).cosine + 1) < 1e-9);
    }

    /// Zero vectors had the cosine 0 with everything, before all that point away.
    void nothingIsNearWhatHasNoDirection()
    {
        MatrixF rows(4, 2, {1, 0, 0, 0, -1, 0, 0, 0});
        rows(3, 1) = std::numeric_limits<float>::quiet_NaN();
        JobContext job;
        const auto nearest = desktop::nearestRows(rows.view(), DocumentIndex(0), 3, {}, 1, job);
        HEADSCOPE_VERIFY_OK(nearest);
        QCOMPARE(nearest->size(), 1u);
        QCOMPARE(nearest->at(0).document, DocumentIndex(2));
        for (const std::int64_t row : {1, 3})
            QVERIFY(desktop::nearestRows(rows.view(), DocumentIndex(row), 3, {}, 1, job)->empty());
        QCOMPARE(desktop::noDirectionText(QStringLiteral("Head 3"), directionOf(rows.row(1))),
                 QStringLiteral("Head 3 has no direction in this document: its vector is zero."));
        QVERIFY(desktop::noDirectionText(QStringLiteral("Head 3"), directionOf(rows.row(3))).contains(u"NaN"));
        QVERIFY(desktop::noDirectionText(QStringLiteral("Head 3"), directionOf(rows.row(0))).isEmpty());
    }
};

HEADSCOPE_TEST_GUILESS(TestMapRun)
#include "tst_desktop_map_run.moc"
