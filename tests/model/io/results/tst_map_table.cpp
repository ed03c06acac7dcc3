// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/map_io.h"
#include "model/io/results/map_table.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <limits>
#include <span>
#include <string>
#include <utility>

using namespace headscope;

class TestMapTable : public QObject
{
    Q_OBJECT

private:
    static HeadMap sample()
    {
        HeadMap map;
        auto points = std::make_shared<PointIds>();
        points->document = {0, 0, 1, 2};
        points->head = {0, 3, 0, 1};
        map.points = points;
        map.xy = MatrixF(4, 2, {1.5F, -2, 0.25F, 3, std::numeric_limits<float>::quiet_NaN(), 0, 1e-7F, 4});
        return map;
    }

    static DocumentSet documents()
    {
        DocumentSet set;
        set.ids = {"a", "b, with comma", "c"};
        set.labels = {{"topic", {1, -1, 0}, {"plain", "say \"x\""}}, {"x", {0, 0, 0}, {"v"}}};
        return set;
    }

    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void everyColumnOfEveryPoint()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("points.csv"));
        const std::vector<float> strengths = {1, 2, std::numeric_limits<float>::infinity(), 0.5F};
        const std::vector<char> chosen = {0, 1};
        JobContext job;
        MapTableColumns columns;
        columns.strengths = strengths;
        columns.chosen = chosen;
        const std::vector<char> shown = {1, 0, 1, 1};
        columns.shown = shown;
        HEADSCOPE_VERIFY_OK(writeMapTable(path.toStdString(), sample(), documents(), columns, job));
        const QByteArray expected = "document,id,head,x,y,strength,topic,label x,chosen,shown\n"
                                    "0,a,1,1.5,-2,1,\"say \"\"x\"\"\",v,0,1\n"
                                    "0,a,4,0.25,3,2,\"say \"\"x\"\"\",v,0,0\n"
                                    "1,\"b, with comma\",1,,0,,,v,1,1\n"
                                    "2,c,2,1e-07,4,0.5,plain,v,0,1\n";
        QCOMPARE(read(path), expected);
    }

    void whatIsNotKnownHasNoColumn()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("points.csv"));
        DocumentSet set = documents();
        set.labels.clear();
        JobContext job;
        HeadMap map = sample();
        map.stage = Stage::OutputSegment;
        HEADSCOPE_VERIFY_OK(writeMapTable(path.toStdString(), map, set, {}, job));
        QVERIFY(read(path).startsWith("document,id,segment,x,y\n0,a,1,1.5,-2\n"));
    }

    /// The points of another cache's map: no line is written, and nothing is read that is not there.
    void pointsOfOtherDocumentsAreRefused()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("points.csv"));
        HeadMap map = sample();
        auto points = std::make_shared<PointIds>(*map.points);
        points->document.back() = 400;
        map.points = points;
        JobContext job;
        const Status written = writeMapTable(path.toStdString(), map, documents(), {}, job);
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::ShapeMismatch);
        QVERIFY2(written.error().sentence().find("found document 400") != std::string::npos,
                 written.error().sentence().c_str());
        QVERIFY(!QFile::exists(path));
    }

    void cancelledLeavesNothing()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("points.csv"));
        std::stop_source stop;
        stop.request_stop();
        JobContext job(stop.get_token());
        const Status written = writeMapTable(path.toStdString(), sample(), documents(), {}, job);
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::Cancelled);
        QVERIFY(!QFile::exists(path));
    }

    void whatWasDoneToARunIsStoredWithItsMap()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("map.h5")).toStdString();
        HeadMap map = sample();
        map.name = "turned";
        map.xy(2, 0) = 0;
        map.turns = {{0, MapTurn::Kind::Start, 0, "a map with blanks"},
                     {437, MapTurn::Kind::FixedLength, 0, {}},
                     {750, MapTurn::Kind::Exaggeration, 4, {}},
                     {800, MapTurn::Kind::Noise, 0.125, {}}};
        {
            auto file = Hdf5Writer::create(path);
            HEADSCOPE_VERIFY_OK(file);
            HEADSCOPE_VERIFY_OK(writeMapGroup(*file, map));
            HEADSCOPE_VERIFY_OK(file->publish());
        }
        JobContext job;
        const auto file = Hdf5Reader::open(path, job);
        HEADSCOPE_VERIFY_OK(file);
        auto again = readMapGroup(*file, "turned");
        HEADSCOPE_VERIFY_OK(again);
        map.turns[1].value = again->turns[1].value; // has none
        QVERIFY(again->turns == map.turns);
    }

    void affinitiesAreKept()
    {
        const QTemporaryDir folder;
        for (const TsneAffinities affinities : {TsneAffinities::Sparse, TsneAffinities::Dense})
        {
            const std::string path = folder.filePath(QStringLiteral("map.h5")).toStdString();
            HeadMap map = sample();
            map.options.affinities = affinities;
            map.options.startJitter = 0.25;
            auto file = Hdf5Writer::create(path);
            HEADSCOPE_VERIFY_OK(file);
            HEADSCOPE_VERIFY_OK(writeMapGroup(*file, map));
            HEADSCOPE_VERIFY_OK(file->publish());
            JobContext job;
            const auto read = Hdf5Reader::open(path, job);
            HEADSCOPE_VERIFY_OK(read);
            const auto again = readMapGroup(*read, map.name);
            HEADSCOPE_VERIFY_OK(again);
            QVERIFY(again->options.affinities == affinities);
            QCOMPARE(again->options.startJitter, 0.25);
        }
    }

    /// Maps that do not name their affinities were dense up to 4,000 points, those of aligned sets up to 1,000.
    void affinitiesOfOlderMaps()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("older.h5")).toStdString();
        auto file = Hdf5Writer::create(path);
        HEADSCOPE_VERIFY_OK(file);
        HEADSCOPE_VERIFY_OK(file->makeGroup("/maps/set"));
        HEADSCOPE_VERIFY_OK(file->setAttribute("/maps/set", "aligned", std::int64_t{2}));
        for (const auto& [group, points] : {std::pair("/maps/below", 4000), std::pair("/maps/above", 4001),
                                            std::pair("/maps/set/below", 1000), std::pair("/maps/set/above", 1001)})
        {
            const MatrixF xy(points, 2);
            const std::array shape = {xy.rows(), std::int64_t{2}};
            HEADSCOPE_VERIFY_OK(file->makeGroup(group));
            HEADSCOPE_VERIFY_OK(
                file->write(std::string(group) + "/xy", shape, NumberType::F32, std::as_bytes(std::span(xy.values()))));
            HEADSCOPE_VERIFY_OK(file->setAttribute(group, "perplexity", std::string("30")));
        }
        HEADSCOPE_VERIFY_OK(file->publish());
        JobContext job;
        const auto read = Hdf5Reader::open(path, job);
        HEADSCOPE_VERIFY_OK(read);
        for (const std::string name : {"below", "above", "set/below", "set/above"})
        {
            const auto map = readMapGroup(*read, name);
            HEADSCOPE_VERIFY_OK(map);
            QVERIFY2((map->options.affinities == TsneAffinities::Dense) == name.ends_with("below"), name.c_str());
        }
    }
};

HEADSCOPE_TEST_GUILESS(TestMapTable)
#include "tst_map_table.moc"
