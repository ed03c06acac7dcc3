// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/work_file.h"

#include "model/base/file.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

using namespace headscope;

namespace
{

ProbeResult sampleProbe(double accuracy)
{
    ProbeResult probe;
    probe.stage = Stage::ProjectedSegment;
    probe.layer = 2;
    probe.options.c = 0.5;
    probe.options.split = ProbeSplit::Rows;
    probe.options.seed = 11;
    probe.options.trainRows = 30;
    probe.trainRows = 30;
    probe.testRows = 4;
    probe.classes = 2;
    probe.accuracy = accuracy;
    probe.ci95Low = 0.25;
    probe.ci95High = 1;
    probe.macroF1 = 0.7;
    probe.objective = 12.5;
    probe.gradientNorm = 1e-7;
    probe.iterations = 31;
    probe.converged = true;
    probe.seconds = 0.125;
    probe.steps = {{0.05, 20}, {0.1, 12.5}};
    probe.withinGroupError = 0.25;
    probe.zeroVectors = 1;
    probe.leftOut = {0, 2};
    probe.untrained = {1};
    probe.perHead = {{0, 1, 0.5, 0.75}, {3, 0.25, 1, 0.5}};
    probe.confusion = Matrix<std::int64_t>(2, 2, {1, 1, 0, 2});
    probe.weights = MatrixD(2, 3, {1, -2, 3, 0.5, 0.25, -0.125});
    probe.intercepts = {0.5, -0.5};
    probe.predictions = {0, 1, 1, 1};
    probe.truths = {0, 0, 1, 1};
    probe.testIndices = {2, 5, 7, 9};
    probe.testDocuments = {0, 1, 1, 2};
    probe.inputHash = "89ab";
    return probe;
}

ProbeBaselines sampleBaselines()
{
    ProbeBaselines all;
    all.chance = 0.5;
    all.baselines = {{ProbeBaselineKind::Gaussian, 0.75, {0.5, 1}, 2.5, 4, false},
                     {ProbeBaselineKind::ControlTask, 0.25, {0, 0.5}, 4, 4, true}};
    all.selectivity = 0.25;
    all.selectivityCi95 = {-0.125, 0.5};
    all.splits = {{0.5, 0.75}, 0.625, std::numeric_limits<double>::quiet_NaN()};
    all.null = {0.5, 0.75, 0.125, 200};
    all.groups = GroupErrors{3, 4, 0.75, {0.25, 1}, 0.25, 2, 280, true, 0.0625};
    all.groupsCentred = GroupErrors();
    all.groupsCentred->within = 1;
    all.groupsCentred->errors = 4;
    all.groupsCentred->share = 0.25;
    all.seconds = 1.5;
    return all;
}

} // namespace

class TestWorkFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(cachePath(), test::sampleContents(), NumberType::F32, job));
        const auto cache = CacheReader::open(cachePath());
        HEADSCOPE_VERIFY_OK(cache);
        m_info = (*cache)->info();
        QCOMPARE(m_info.identity.size(), 32u);
    }

    void roundTrip();
    void baselinesComeBack();
    void baselinesThatNoProbeHasAreRefused();
    void earlierFilesAreRead();
    void emptyWorkRoundTrips();
    void everyPrefixIsRefused();
    void everyDamagedByteIsRefused();
    void workOfAnotherCacheIsRefused();
    void placesOutsideOfTheCacheAreRefused_data();
    void placesOutsideOfTheCacheAreRefused();
    void otherFilesAreRefused();
    void identityOfACache();

private:
    std::filesystem::path cachePath() const { return m_folder.file("cache.h5"); }
    WorkFile sample() const;

    test::TemporaryFolder m_folder;
    CacheInfo m_info;
};

WorkFile TestWorkFile::sample() const
{
    WorkFile file{m_info.identity, cachePath().string(), 1'700'000'000'123, {}};
    file.work.sets = {{"Cats, \xc3\xa4 and dogs", 0xE69F00, true, {0, 3, 11}, {"doc-0", "doc-3", "doc-11"}},
                      {"none yet", 0x0072B2, false, {}, {}}};
    for (const char* name : {"zebra", "ant"}) // the order is that of the list, not of the alphabet
    {
        auto map = std::make_shared<HeadMap>(test::sampleContents().maps.front());
        map->name = name;
        map->turns = {{437, MapTurn::Kind::Noise, 0.25, {}}};
        map->trust = MapTrust{1.5, 0.8, 0.9, 0.95, 0.7, 3, 0, 0};
        file.work.maps.push_back(map);
    }
    auto set = std::make_shared<HeadMapSet>();
    set->name = "a grid";
    set->start = MatrixF(3, 2, {1, 2, 3, 4, 5, 6});
    set->fullSource = "layer 3, stage 3";
    for (const char* name : {"full", "s1_h00", "s1_h01"})
    {
        MapOfSet each{test::sampleContents().maps.front(), 0.5};
        each.map.name = name;
        set->maps.push_back(each);
    }
    file.work.grids = {{"stages of layer 3", set}};
    file.work.probes = {{{0, 3}, std::make_shared<const ProbeResult>(sampleProbe(0.75)), nullptr},
                        {{0, 3},
                         std::make_shared<const ProbeResult>(sampleProbe(0.5)),
                         std::make_shared<const ProbeResult>(sampleProbe(0.25))}};
    file.work.figures = {{"/paper/b \xc3\xa4.pdf", R"({"width": 77})"}, {"/paper/a.svg", "{}"}};
    return file;
}

void TestWorkFile::roundTrip()
{
    const auto path = m_folder.file("work.headscope");
    const WorkFile file = sample();
    HEADSCOPE_VERIFY_OK(writeWorkFile(path, file));
    HEADSCOPE_VERIFY_OK(writeWorkFile(path, file)); // replaces itself
    const auto read = readWorkFile(path, m_info);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(read->cache, cachePath().string());
    QCOMPARE(read->savedMs, file.savedMs);
    QVERIFY(read->work.sets == file.work.sets);
    QVERIFY(digestsOf(read->work) == digestsOf(file.work));
    QVERIFY(read->work.figures == file.work.figures);
    QCOMPARE(read->work.maps.size(), 2u);
    QCOMPARE(read->work.maps[0]->name, std::string("zebra"));
    const HeadMap& map = *read->work.maps[1];
    QCOMPARE(map.name, std::string("ant"));
    QCOMPARE(map.options.seed, std::uint64_t{7});
    QCOMPARE(map.trust->knn10, 0.8);
    QVERIFY(map.turns == file.work.maps[1]->turns);
    QCOMPARE(read->work.grids.size(), 1u);
    const HeadMapSet& grid = *read->work.grids[0].set;
    QCOMPARE(read->work.grids[0].key, std::string("stages of layer 3"));
    QCOMPARE(grid.name, std::string("a grid"));
    QCOMPARE(grid.maps[2].map.name, std::string("s1_h01"));
    QCOMPARE(grid.maps[2].correlation, 0.5);
    QVERIFY(grid.start == file.work.grids[0].set->start);
    QVERIFY(read->work.probes[0].control == nullptr);
    const ProbeResult& probe = *read->work.probes[1].result;
    const ProbeResult expected = sampleProbe(0.5);
    QCOMPARE(read->work.probes[1].control->accuracy, 0.25);
    QCOMPARE(read->work.probes[1].heads, (std::vector<std::int64_t>{0, 3}));
    QVERIFY(probe.stage == expected.stage);
    QVERIFY(probe.layer == expected.layer);
    QCOMPARE(probe.options.c, 0.5);
    QVERIFY(probe.options.split == ProbeSplit::Rows);
    QCOMPARE(probe.options.seed, std::uint64_t{11});
    QCOMPARE(probe.gradientNorm, 1e-7);
    QCOMPARE(probe.iterations, 31);
    QVERIFY(probe.converged);
    QCOMPARE(probe.steps.size(), 2u);
    QCOMPARE(probe.steps[1].objective, 12.5);
    QCOMPARE(probe.leftOut, expected.leftOut);
    QCOMPARE(probe.untrained, expected.untrained);
    QCOMPARE(probe.perHead[1].head, 3);
    QCOMPARE(probe.perHead[1].f1, 0.5);
    QVERIFY(probe.confusion == expected.confusion);
    QVERIFY(probe.weights == expected.weights);
    QCOMPARE(probe.predictions, expected.predictions);
    QCOMPARE(probe.truths, expected.truths);
    QCOMPARE(probe.testIndices, expected.testIndices);
    QCOMPARE(probe.testDocuments, expected.testDocuments);
    QCOMPARE(probe.inputHash, std::string("89ab"));
}

void TestWorkFile::baselinesComeBack()
{
    const auto path = m_folder.file("baselines.headscope");
    const auto readBack = [&](const ProbeResult& probe) {
        WorkFile file{m_info.identity, "c.h5", 1, {}};
        file.work.probes = {{{0, 3}, std::make_shared<const ProbeResult>(probe), nullptr}};
        const auto written = writeWorkFile(path, file);
        return written ? readWorkFile(path, m_info) : Result<WorkFile>(written.error());
    };
    ProbeResult probe = sampleProbe(0.5);
    const auto without = readBack(probe); // as an earlier version wrote it
    HEADSCOPE_VERIFY_OK(without);
    QVERIFY(!without->work.probes[0].result->baselines.has_value());
    probe.baselines = sampleBaselines();
    const auto read = readBack(probe);
    HEADSCOPE_VERIFY_OK(read);
    QVERIFY(digestsOf(read->work) != digestsOf(without->work)); // so that it is written
    QVERIFY(read->work.probes[0].result->baselines.has_value());
    const ProbeBaselines& all = *read->work.probes[0].result->baselines;
    const ProbeBaselines& known = *probe.baselines;
    QCOMPARE(all.chance, known.chance);
    QCOMPARE(all.selectivity, known.selectivity);
    QCOMPARE(all.selectivityCi95.high, known.selectivityCi95.high);
    QCOMPARE(all.splits.accuracies, known.splits.accuracies);
    QCOMPARE(all.splits.mean, known.splits.mean);
    QVERIFY(std::isnan(all.splits.sd));
    QCOMPARE(all.null.p, known.null.p);
    QCOMPARE(all.null.permutations, known.null.permutations);
    QCOMPARE(all.baselines.size(), std::size_t{2});
    const ProbeBaseline* noise = all.find(ProbeBaselineKind::Gaussian);
    QVERIFY(noise != nullptr && noise->accuracy == 0.75 && noise->ci95.low == 0.5 && noise->testRows == 4);
    QVERIFY(all.find(ProbeBaselineKind::ControlTask)->converged && !noise->converged);
    QVERIFY(all.groups && all.groups->within == 3 && all.groups->errors == 4 && all.groups->rank == 2 &&
            all.groups->groupings == 280 && all.groups->exact && all.groups->p == 0.0625);
    QVERIFY(all.groupsCentred && all.groupsCentred->within == 1 && std::isnan(all.groupsCentred->p));
    // Why there are none is kept too.
    probe.baselines.reset();
    probe.noBaselines = "expected rows to train and test on, found none";
    const auto none = readBack(probe);
    HEADSCOPE_VERIFY_OK(none);
    QCOMPARE(none->work.probes[0].result->noBaselines, probe.noBaselines);
}

/// Each written in place of good ones: refused as other tables that do not fit.
void TestWorkFile::baselinesThatNoProbeHasAreRefused()
{
    using Damage = std::function<void(ProbeBaselines&)>;
    const char* share = "expected a number from 0 to 1 under ";
    const std::vector<std::pair<Damage, std::string>> damages = {
        {[](ProbeBaselines& all) { all.baselines[0].kind = static_cast<ProbeBaselineKind>(7); },
         "/accuracies: expected an integer from 0 to 3 under kind, found 7"},
        {[](ProbeBaselines& all) { all.baselines[1].accuracy = 1.5; }, std::string(share) + "accuracy, found 1.5"},
        {[](ProbeBaselines& all) { all.baselines[1].testRows = -1; }, "under test_rows, found -1"},
        {[](ProbeBaselines& all) { all.splits.accuracies[1] = -0.5; }, "expected the baselines of a probe"},
        {[](ProbeBaselines& all) { all.null.permutations = -3; }, "/numbers: expected an integer from 0 to "},
        {[](ProbeBaselines& all) { all.groups->within = 5; }, "expected the baselines of a probe"}, // of 4 errors
        {[](ProbeBaselines& all) { all.groups->rank = 281; }, "expected the baselines of a probe"},
        {[](ProbeBaselines& all) { all.groupsCentred->share = 2; }, std::string(share) + "share, found 2"},
        {[](ProbeBaselines& all) { all.chance = std::numeric_limits<double>::infinity(); },
         std::string(share) + "chance, found inf"}};
    for (std::size_t i = 0; i < damages.size(); ++i)
    {
        ProbeResult probe = sampleProbe(0.5);
        probe.baselines = sampleBaselines();
        damages[i].first(*probe.baselines);
        const auto path = m_folder.file("bad" + std::to_string(i) + ".headscope");
        WorkFile file{m_info.identity, "c.h5", 1, {}};
        file.work.probes = {{{0, 3}, std::make_shared<const ProbeResult>(probe), nullptr}};
        HEADSCOPE_VERIFY_OK(writeWorkFile(path, file));
        HEADSCOPE_VERIFY_ERROR(readWorkFile(path, m_info), ErrorCode::BadFormat, damages[i].second.c_str());
    }
}

/// What the program wrote before its parts were declared as records is read as what is written now.
void TestWorkFile::earlierFilesAreRead()
{
    const auto read = readWorkFile(test::golden("records/work.headscope"), m_info);
    HEADSCOPE_VERIFY_OK(read);
    const WorkFile now = sample();
    QVERIFY(read->work.sets == now.work.sets);
    QVERIFY(read->work.figures == now.work.figures);
    QVERIFY(digestsOf(read->work) == digestsOf(now.work));
    QCOMPARE(read->work.probes[1].control->accuracy, 0.25);
}

void TestWorkFile::emptyWorkRoundTrips()
{
    const auto path = m_folder.file("empty.headscope");
    HEADSCOPE_VERIFY_OK(writeWorkFile(path, {m_info.identity, "c.h5", 1, {}}));
    const auto read = readWorkFile(path, m_info);
    HEADSCOPE_VERIFY_OK(read);
    QVERIFY(read->work.isEmpty());
}

void TestWorkFile::everyPrefixIsRefused()
{
    const auto path = m_folder.file("whole.headscope");
    WorkFile small{m_info.identity, "c.h5", 1, {}};
    small.work.sets = sample().work.sets;
    HEADSCOPE_VERIFY_OK(writeWorkFile(path, small));
    const auto whole = readTextFile(path);
    HEADSCOPE_VERIFY_OK(whole);
    const auto cut = m_folder.file("cut.headscope");
    // Every length near both ends, where headers and the seal are; every 17th between them.
    constexpr std::size_t kNear = 300;
    for (std::size_t length = 0; length < whole->size();
         length += length < kNear || length + kNear > whole->size() ? 1 : 17)
    {
        std::ofstream(cut, std::ios::binary).write(whole->data(), static_cast<std::streamsize>(length));
        const auto read = readWorkFile(cut, m_info);
        QVERIFY2(!read, std::to_string(length).c_str());
        QVERIFY2(read.error().code == ErrorCode::BadFormat, read.error().sentence().c_str());
    }
}

void TestWorkFile::everyDamagedByteIsRefused()
{
    const auto path = m_folder.file("intact.headscope");
    HEADSCOPE_VERIFY_OK(writeWorkFile(path, sample()));
    auto bytes = readTextFile(path);
    HEADSCOPE_VERIFY_OK(bytes);
    const auto damaged = m_folder.file("damaged.headscope");
    for (std::size_t at = 0; at < bytes->size(); at += 211)
    {
        std::string changed = *bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x20);
        std::ofstream(damaged, std::ios::binary) << changed;
        QVERIFY2(!readWorkFile(damaged, m_info), std::to_string(at).c_str());
    }
}

void TestWorkFile::workOfAnotherCacheIsRefused()
{
    const auto path = m_folder.file("other.headscope");
    WorkFile file = sample();
    file.identity = std::string(32, 'f');
    HEADSCOPE_VERIFY_OK(writeWorkFile(path, file));
    HEADSCOPE_VERIFY_ERROR(readWorkFile(path, m_info), ErrorCode::InvalidArgument,
                           "expected autosaved analyses of this cache, found analyses of another");
}

void TestWorkFile::placesOutsideOfTheCacheAreRefused_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("set") << 0;
    QTest::newRow("map") << 1;
    QTest::newRow("probe") << 2;
}

void TestWorkFile::placesOutsideOfTheCacheAreRefused()
{
    QFETCH(int, kind);
    const auto path = m_folder.file("outside.headscope");
    WorkFile file{m_info.identity, "c.h5", 1, {}};
    if (kind == 0)
        file.work.sets = {{"too far", 0, false, {m_info.documents}, {"x"}}};
    if (kind == 1)
    {
        auto map = std::make_shared<HeadMap>(test::sampleContents().maps.front());
        map->points = std::make_shared<const PointIds>(PointIds{{0, 0, 999}, {0, 1, 0}});
        file.work.maps = {map};
    }
    if (kind == 2)
    {
        ProbeResult probe = sampleProbe(0.5);
        probe.testDocuments.back() = 999;
        file.work.probes = {{{0, 3}, std::make_shared<const ProbeResult>(probe), nullptr}};
    }
    HEADSCOPE_VERIFY_OK(writeWorkFile(path, file));
    HEADSCOPE_VERIFY_ERROR(readWorkFile(path, m_info), ErrorCode::BadFormat, "of this cache, found");
}

void TestWorkFile::otherFilesAreRefused()
{
    HEADSCOPE_VERIFY_ERROR(readWorkFile(m_folder.file("none"), m_info), ErrorCode::FileNotFound, "none");
    HEADSCOPE_VERIFY_ERROR(readWorkFile(cachePath(), m_info), ErrorCode::BadFormat,
                           "expected the autosaved analyses of a cache (headscope-work), found headscope-cache");
    const auto newer = m_folder.file("newer.headscope");
    auto file = Hdf5Writer::create(newer);
    HEADSCOPE_VERIFY_OK(file);
    HEADSCOPE_VERIFY_OK(file->setAttribute("/", "format", std::string("headscope-work")));
    HEADSCOPE_VERIFY_OK(file->setAttribute("/", "version", std::int64_t{2}));
    HEADSCOPE_VERIFY_OK(file->publish());
    HEADSCOPE_VERIFY_ERROR(readWorkFile(newer, m_info), ErrorCode::Unsupported, "a newer Headscope wrote it");
}

void TestWorkFile::identityOfACache()
{
    JobContext job;
    const auto identity = [](const std::filesystem::path& path) {
        const auto cache = CacheReader::open(path);
        return cache ? (*cache)->info().identity : cache.error().sentence();
    };
    // A map that is stored, another creation date, a new name: the same.
    HeadMap map = test::sampleContents().maps.front();
    map.name = "another";
    HEADSCOPE_VERIFY_OK(saveMap(cachePath(), map, false, job));
    QCOMPARE(identity(cachePath()), m_info.identity);
    CacheContents contents = test::sampleContents();
    contents.header.created = "2027-01-01T00:00:00Z";
    contents.maps.clear();
    const auto path = m_folder.file("variant.h5");
    HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
    QCOMPARE(identity(path), m_info.identity);
    // Other vectors, ids or texts: another.
    contents.embeddings.back() = test::randomVectors(Stage::OutputSegment, 3, 12, 4, 5, 999);
    HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
    const std::string otherVectors = identity(path);
    QVERIFY(otherVectors != m_info.identity);
    QCOMPARE(otherVectors.size(), 32u);
    contents = test::sampleContents();
    std::swap(contents.documents.ids[0], contents.documents.ids[1]);
    HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
    QVERIFY(identity(path) != m_info.identity);
    contents = test::sampleContents();
    contents.documents.texts[4] = "another text";
    HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
    QVERIFY(identity(path) != m_info.identity);
    // Without checksums rows stand for the whole.
    const auto bare = [&](std::uint64_t seed) {
        auto file = Hdf5Writer::create(path);
        const std::array shape = {std::int64_t{6}, std::int64_t{2}, std::int64_t{3}};
        const auto vectors = test::randomVectors(Stage::HeadOutput, 1, 6, 2, 3, seed);
        const bool written =
            file && file->setAttribute("/", "format", std::string("headscope-cache")) &&
            file->setAttribute("/", "version", std::int64_t{1}) && file->makeGroup("/model") &&
            file->setAttribute("/model", "layers", std::int64_t{2}) &&
            file->setAttribute("/model", "heads", std::int64_t{2}) &&
            file->setAttribute("/model", "kv_heads", std::int64_t{2}) &&
            file->write("/embeddings/layer_001/stage1", shape, NumberType::F32, std::as_bytes(vectors->values())) &&
            file->publish();
        return written ? identity(path) : std::string("not written");
    };
    const std::string first = bare(1);
    QCOMPARE(first.size(), 32u);
    QCOMPARE(bare(1), first);
    QVERIFY(bare(2) != first);
    // Such a file that was moved is another origin, yet its work is still its own.
    const auto origin = [](const std::filesystem::path& of) { return (*CacheReader::open(of))->origin(); };
    const auto moved = m_folder.file("moved.h5");
    std::filesystem::copy_file(path, moved);
    QCOMPARE(identity(moved), identity(path));
    QVERIFY(origin(moved) != origin(path));
}

HEADSCOPE_TEST_GUILESS(TestWorkFile)
#include "tst_work_file.moc"
