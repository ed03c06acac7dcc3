// SPDX-License-Identifier: GPL-3.0-or-later
// What a run leaves behind it: history, curve, noise; and the command lines that make its map again.
#include "app/views/map/keep_map.h"
#include "app/views/map/map_command.h"
#include "app/views/map/map_run.h"

#include "model/analysis/maps/map_places.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/copied_line.h"
#include "tests/app/sample_cache.h"
#include "tests/model/io/foreign_cache.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/support/waiting.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace headscope;
using namespace headscope::desktop;
using headscope::ui::MapRunState;

class TestMapHistory : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::string m_cache;

    [[nodiscard]] MapRequest request(int iterations) const
    {
        MapRequest made;
        auto reader = CacheReader::open(m_cache);
        JobContext job;
        made.vectors = (*reader)->load(LayerIndex(11), Stage::HeadOutput, {}, job).value();
        made.heads = allIndices(9);
        made.options.iterations = iterations;
        made.options.exaggerationIterations = std::min(iterations, 60);
        made.options.perplexities = {12};
        made.numThreads = 1;
        return made;
    }

    static MapRequest requestOf(std::vector<float> values, std::int64_t documents, std::int64_t heads)
    {
        const auto dims = static_cast<std::int64_t>(values.size()) / (documents * heads);
        MapRequest made;
        made.vectors = std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(0), documents, heads, dims,
                                                           std::move(values));
        made.heads = allIndices(heads);
        made.options.iterations = 60;
        made.options.exaggerationIterations = 20;
        made.options.perplexities = {1};
        return made;
    }

    /// The map of a run at rest.
    struct Runner
    {
        MapRun run;
        std::shared_ptr<const HeadMap> map;
        std::optional<Error> error;

        Runner()
        {
            connect(&run, &MapRun::mapChanged, &run, [this](const auto& newer) { map = newer; });
            connect(&run, &MapRun::failed, &run, [this](const Error& failure) { error = failure; });
        }
        bool rest()
        {
            return test::waitFor([this] { return !run.active(); }) && map != nullptr;
        }
    };

    /// Runs the command lines in this process, as a shell would one after another.
    std::string hashOf(const HeadMap& map)
    {
        std::string hash;
        for (TsneLine line : tsneLines(map, {m_cache, 9}, {}))
        {
            line.common.json = true;
            std::vector<std::string> arguments = line.words();
            for (std::string& argument : arguments)
            {
                if (argument == map.name + "-state.h5")
                    argument = m_folder.filePath(QStringLiteral("state.h5")).toStdString();
            }
            const test::Outcome outcome = test::runVerb(arguments);
            if (outcome.code != 0)
                return outcome.err;
            hash = outcome.json().at("hash").get<std::string>();
        }
        QFile::remove(m_folder.filePath(QStringLiteral("state.h5")));
        return hash;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_cache = m_folder.filePath(QStringLiteral("sample.h5")).toStdString();
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(m_cache));
    }

    void snapshotsAreKeptEvenlyAndBounded()
    {
        Runner runner;
        runner.run.start(request(1000));
        QVERIFY(runner.rest());
        const auto history = runner.run.history();
        const std::vector<int> iterations = history->iterations();
        QVERIFY(iterations.size() > MapHistory::kMaxSnapshots / 2);
        QVERIFY(iterations.size() <= MapHistory::kMaxSnapshots);
        QCOMPARE(iterations.front(), 0);
        QVERIFY(iterations.back() > 1000 - 32);
        const int step = iterations[1] - iterations[0];
        for (std::size_t i = 1; i < iterations.size(); ++i)
            QCOMPARE(iterations[i] - iterations[i - 1], step);
        QCOMPARE(history->bytes(), iterations.size() * 432 * MapHistory::kBytesPerPoint);
    }

    void snapshotsAreTheMapAsItWas()
    {
        Runner shorter;
        shorter.run.start(request(200));
        QVERIFY(shorter.rest());
        Runner runner;
        runner.run.start(request(400));
        QVERIFY(runner.rest());
        const auto then = runner.run.history()->at(201); // the nearest is that of 200
        QCOMPARE(then->iteration, 200);
        QCOMPARE(then->points, runner.map->points); // views keep their colours
        float extent = 0;
        for (const float value : shorter.map->xy.values())
            extent = std::max(extent, std::abs(value));
        for (std::int64_t i = 0; i < then->xy.rows(); ++i)
            for (const int axis : {0, 1})
                QVERIFY(std::abs(then->xy(i, axis) - shorter.map->xy(i, axis)) <= 2 * extent / 65'000);
    }

    void memoryIsBoundForAnyNumberOfPoints()
    {
        QCOMPARE(MapHistory::snapshotLimit(0), MapHistory::kMaxSnapshots);
        QCOMPARE(MapHistory::snapshotLimit(320'000), MapHistory::kMaxSnapshots);
        QVERIFY(MapHistory::snapshotLimit(1'000'000) * 4'000'000 <= MapHistory::kMaxBytes);
        QCOMPARE(MapHistory::snapshotLimit(100'000'000), MapHistory::kMinSnapshots);
    }

    void curveHasItsPhases()
    {
        Runner runner;
        runner.run.start(request(200));
        QVERIFY(runner.rest());
        const RunCurve curve = runner.run.history()->curve();
        QCOMPARE(curve.exaggerationEnd, 60);
        QCOMPARE(curve.iterations, 200);
        QVERIFY(curve.points.size() >= 19u);
        for (std::size_t i = 1; i < curve.points.size(); ++i)
            QVERIFY(curve.points[i].iteration > curve.points[i - 1].iteration);
        QVERIFY(curve.points.back().kl < curve.points[2].kl);
        QCOMPARE(curve.points.back().kl, runner.map->kl);
    }

    void noiseIsTheSameForTheSameSeed()
    {
        const auto perturbed = [this](double share, std::uint64_t seed) {
            Runner runner;
            MapRequest wanted = request(150);
            wanted.options.start = TsneStart::Pca; // the seed decides the noise alone
            wanted.options.seed = seed;
            runner.run.start(std::move(wanted));
            if (!runner.rest())
                return std::string("no map");
            runner.run.perturb(share, 100);
            return runner.rest() ? runner.map->hash : std::string("no map");
        };
        const std::string once = perturbed(0.1, 1);
        QCOMPARE(once, perturbed(0.1, 1));
        QVERIFY(once != perturbed(0.1, 2));
        QVERIFY(once != perturbed(0.2, 1));
    }

    void noiseMovesARunInEveryState()
    {
        Runner runner;
        runner.run.start(request(100'000));
        WAIT_FOR(runner.map != nullptr);
        runner.run.perturb(0.5, 10);
        WAIT_COMPARE(runner.run.history()->turns().size(), 1u);
        runner.run.pause();
        runner.run.perturb(0.5, 10);
        QCOMPARE(runner.run.state(), MapRunState::Running);
        WAIT_COMPARE(runner.run.history()->turns().size(), 2u);
        runner.run.stop();
        WAIT_COMPARE(runner.run.state(), MapRunState::Stopped);
        runner.run.perturb(0.5, 10);
        WAIT_COMPARE(runner.run.history()->turns().size(), 3u);
        runner.run.stop();
        WAIT_COMPARE(runner.run.state(), MapRunState::Stopped);
        QCOMPARE(runner.map->turns.size(), 3u);
        QVERIFY(runner.map->turns[0].kind == MapTurn::Kind::Noise);
        QVERIFY(tsneCommand(*runner.map, {m_cache, 9}).find("noise") != std::string::npos);
    }

    void commandLineMakesTheSameMap_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("plain") << 0;
        QTest::newRow("every option") << 1;
        QTest::newRow("stopped on the way") << 2;
        QTest::newRow("gone on") << 3;
        QTest::newRow("gone on with exaggeration") << 4;
        QTest::newRow("stops by itself, gone on") << 5;
        QTest::newRow("some heads") << 6;
        QTest::newRow("late from the start, changed") << 7;
    }
    void commandLineMakesTheSameMap()
    {
        QFETCH(int, kind);
        MapRequest wanted = request(kind == 2 ? 100'000 : 120);
        TsneOptions& options = wanted.options;
        if (kind == 1)
        {
            options.exaggeration = 6;
            options.lateExaggeration = 1.25;
            options.learningRate = 77.5;
            options.momentum = 0.6;
            options.degreesOfFreedom = 0.75;
            options.metric = Metric::Cosine;
            options.start = TsneStart::Random;
            options.seed = 99;
        }
        if (kind == 5)
        {
            options.autoStop = true;
            options.iterations = 5000;
        }
        if (kind == 6)
            wanted.heads = {1, 2, 3, 7};
        if (kind == 7)
            options.lateExaggeration = 2;
        Runner runner;
        runner.run.start(std::move(wanted));
        if (kind == 2)
        {
            WAIT_FOR(runner.map != nullptr && runner.map->iteration > 100);
            runner.run.stop();
        }
        QVERIFY(runner.rest());
        if (kind == 3 || kind == 5)
            runner.run.goOn(50, 1);
        if (kind == 4 || kind == 7)
            runner.run.goOn(50, 4);
        QVERIFY(runner.rest());
        if (kind == 3)
            QCOMPARE(tsneLines(*runner.map, {m_cache, 9}, {}).size(), 1u);
        QCOMPARE(hashOf(*runner.map), runner.map->hash);
        const QString line = QString::fromStdString(tsneCommand(*runner.map, {m_cache, 9}));
        QCOMPARE(test::copiedLineFault(line), std::string());
    }

    void startFromAStoredMapIsRepeated()
    {
        Runner first;
        first.run.start(request(100));
        QVERIFY(first.rest());
        auto start = std::make_shared<HeadMap>(*first.map);
        start->name = "the start";
        auto reader = CacheReader::open(m_cache);
        JobContext job;
        HEADSCOPE_VERIFY_OK(storeMap(**reader, *start, false, job));
        MapRequest wanted = request(80);
        wanted.options.start = TsneStart::Given;
        wanted.start = start;
        Runner second;
        second.run.start(std::move(wanted));
        QVERIFY(second.rest());
        QVERIFY(second.map->hash != first.map->hash);
        QCOMPARE(hashOf(*second.map), second.map->hash);
        // Of other heads: those that the map has begin there, the others at their document.
        MapRequest fewer = request(0);
        fewer.heads = {0, 4};
        const MatrixF places = placesIn(*first.map, PointIds{{3, 3, 99}, {0, 100, 0}});
        QCOMPARE(places(0, 0), first.map->xy(27, 0));
        QVERIFY(places(1, 0) != 0.0F);
        QCOMPARE(places(2, 0), 0.0F);
    }

    void storedTwiceNeedsAnAgreement()
    {
        Runner runner;
        runner.run.start(request(60));
        QVERIFY(runner.rest());
        HeadMap map = *runner.map;
        map.name = "again";
        auto reader = CacheReader::open(m_cache);
        JobContext job;
        auto now = storeMap(**reader, map, false, job);
        HEADSCOPE_VERIFY_OK(now);
        QCOMPARE((*now)->map("again", job)->hash, map.hash);
        // The reader that was open reads on, of the file as it was.
        HEADSCOPE_VERIFY_OK((*reader)->load(LayerIndex(7), Stage::HeadOutput, {}, job));
        const auto refused = storeMap(**now, map, false, job);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::WrongUse);
        HEADSCOPE_VERIFY_OK(storeMap(**now, map, true, job));
    }

    /// A cache that another program wrote has no checksums: its first map seals it, and it still is the same.
    void storedIntoTheCacheThatWasOpened()
    {
        const std::filesystem::path path = m_folder.filePath(QStringLiteral("foreign.h5")).toStdString();
        HEADSCOPE_VERIFY_OK(test::writeForeignCache(path));
        auto reader = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(reader);
        HeadMap map;
        map.name = "first";
        map.points = std::make_shared<const PointIds>(PointIds{{0, 1}, {0, 1}});
        map.xy = MatrixF(2, 2, {1, 2, 3, 4});
        map.layer = LayerIndex(1);
        map.options.perplexities = {5.0};
        map.origin = (*reader)->origin();
        JobContext job;
        const auto first = storeMap(**reader, map, false, job);
        HEADSCOPE_VERIFY_OK(first);
        map.name = "second";
        const auto second = storeMap(**first, map, false, job);
        HEADSCOPE_VERIFY_OK(second);
        QCOMPARE((*second)->info().maps, std::vector<std::string>({"first", "second"}));
        // Another one takes its place, of the same size and time, with the same vectors where caches are told apart.
        HEADSCOPE_VERIFY_OK(test::writeForeignCache(path));
        reader = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(reader);
        map.origin = (*reader)->origin();
        HEADSCOPE_VERIFY_OK(test::changeForeignCacheUnseen(path));
        HEADSCOPE_VERIFY_ERROR(storeMap(**reader, map, false, job), ErrorCode::InvalidArgument,
                               "expected the cache that the map was made from, found another cache in its place");
        const auto there = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(there);
        QVERIFY((*there)->info().maps.empty());
    }

    void trustOfAMap()
    {
        Runner runner;
        MapRequest wanted = request(300);
        const auto vectors = wanted.vectors;
        runner.run.start(std::move(wanted));
        QVERIFY(runner.rest());
        JobContext job;
        const auto measured = withTrust(*runner.map, *vectors, 2, job);
        HEADSCOPE_VERIFY_OK(measured);
        QVERIFY(measured->trust->knn10 > 0.2 && measured->trust->knn10 <= 1);
        QVERIFY(measured->trust->trustworthiness > 0.8);
        HeadMap other = *runner.map;
        auto ids = std::make_shared<PointIds>(*other.points);
        ids->document.front() = 1000;
        other.points = ids;
        QVERIFY(!withTrust(other, *vectors, 2, job));
    }

    void edges_data()
    {
        QTest::addColumn<int>("documents");
        QTest::addColumn<int>("heads");
        QTest::addColumn<bool>("works");
        QTest::newRow("no point") << 0 << 1 << false;
        QTest::newRow("one point") << 1 << 1 << false;
        QTest::newRow("two points") << 2 << 1 << true;
        QTest::newRow("three points") << 3 << 1 << true;
        QTest::newRow("all equal") << 20 << 3 << true;
    }
    void edges()
    {
        QFETCH(int, documents);
        QFETCH(int, heads);
        QFETCH(bool, works);
        constexpr std::size_t kDims = 4;
        std::vector<float> values(static_cast<std::size_t>(documents * heads) * kDims, 1.0F);
        if (documents < 4)
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<float>(i);
        Runner runner;
        if (documents == 0)
        {
            MapRequest none;
            none.vectors = std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(0), 0, heads, 4,
                                                               std::vector<float>());
            none.heads = {0};
            runner.run.start(std::move(none));
        }
        else
            runner.run.start(requestOf(std::move(values), documents, heads));
        WAIT_FOR(!runner.run.active());
        if (!works)
        {
            QVERIFY(runner.error.has_value());
            QCOMPARE(runner.error->code, ErrorCode::InvalidArgument);
            QVERIFY2(runner.error->sentence().find("2 points") != std::string::npos, runner.error->sentence().c_str());
            return;
        }
        QVERIFY2(!runner.error, runner.error ? runner.error->sentence().c_str() : "");
        QCOMPARE(runner.map->iteration, 60);
        for (const float value : runner.map->xy.values())
            QVERIFY(std::isfinite(value));
        runner.run.perturb(0.1, 20);
        QVERIFY(runner.rest());
        for (const float value : runner.map->xy.values())
            QVERIFY(std::isfinite(value));
        QVERIFY(runner.run.history()->at(5) != nullptr);
        QVERIFY(!mapThumbnail(*runner.map, viz::HeadPalette(1, 3), viz::InkTheme::Light, 96).isNull());
        // Too few for ten neighbours is a sentence, no crash.
        JobContext job;
        const auto vectors = std::make_shared<const HeadVectors>(
            Stage::HeadOutput, LayerIndex(0), documents, heads, 4,
            std::vector<float>(static_cast<std::size_t>(documents * heads) * kDims, 1.0F));
        const auto measured = withTrust(*runner.map, *vectors, 1, job);
        QVERIFY(measured || !measured.error().sentence().empty());
    }

    void headWithoutVarianceAndVectorsThatAreNotFinite()
    {
        constexpr std::int64_t kDocs = 30;
        std::vector<float> values;
        for (std::int64_t document = 0; document < kDocs; ++document)
            for (std::int64_t head = 0; head < 3; ++head)
                for (std::int64_t d = 0; d < 4; ++d)
                    values.push_back(head == 1 ? 0.5F : static_cast<float>((document * 7 + head * 13 + d * 5) % 11));
        values[5 * 12] = std::numeric_limits<float>::quiet_NaN();
        MapRequest wanted = requestOf(std::move(values), kDocs, 3);
        wanted.options.perplexities = {5};
        Runner runner;
        runner.run.start(std::move(wanted));
        QVERIFY(runner.rest());
        QVERIFY2(!runner.error, runner.error ? runner.error->sentence().c_str() : "");
        QCOMPARE(runner.map->leftOut, 1);
        QCOMPARE(runner.map->xy.rows(), 89);
        for (const float value : runner.map->xy.values())
            QVERIFY(std::isfinite(value));
    }

    void finerCurveMovesNothing()
    {
        const auto cloud = test::headLikeClouds(5000, 16, 8);
        const auto hashWith = [&cloud](int interval) {
            TsneOptions options;
            options.iterations = 40;
            options.exaggerationIterations = 20;
            options.perplexities = {10};
            JobContext job;
            auto state = TsneState::create(cloud.vectors.view(), options, 2, job);
            state->setKlInterval(interval);
            const Status ran = state->run(40, job);
            return ran ? state->hash() : ran.error().sentence();
        };
        QCOMPARE(hashWith(10), hashWith(50));
    }
};

HEADSCOPE_TEST_GUILESS(TestMapHistory)
#include "tst_desktop_map_history.moc"
