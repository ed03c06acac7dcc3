// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/map_io.h"

#include "model/base/job_context.h"
#include "model/io/records/record_hdf5.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;

class TestMapRecords : public QObject
{
    Q_OBJECT

private:
    test::TemporaryFolder m_folder;
    JobContext m_job;

    static NoiseFloor floor()
    {
        return {{10, 0.47, 0.515, 0.05, 0.43}, 0.45, 0.49, 3,   1e-4, 18'000'000'000'000'000'000U,
                {0.4F, 0.5F, 0.51F},           0.02, 0.5,  0.53};
    }

    /// A map with a floor, as a set has it with its agreement with others.
    static HeadMap mapOf(const std::optional<NoiseFloor>& floor)
    {
        HeadMap map;
        map.name = "m";
        map.xy = MatrixF(3, 2);
        map.floor = floor;
        return map;
    }
    Result<HeadMap> readBack(const HeadMap& map)
    {
        const auto path = m_folder.file("map.h5");
        HEADSCOPE_TRY(auto file, Hdf5Writer::create(path));
        HEADSCOPE_CHECK(writeMapGroup(file, map));
        HEADSCOPE_CHECK(file.publish());
        HEADSCOPE_TRY(const auto reader, Hdf5Reader::open(path, m_job));
        return readMapGroup(reader, map.name);
    }

private Q_SLOTS:
    /// The intervals of the verdicts are made of the shares by point: without them a stored map says less.
    void whatIsWrittenIsRead()
    {
        const auto whole = readBack(mapOf(floor()));
        HEADSCOPE_VERIFY_OK(whole);
        QVERIFY(whole->floor == floor());
        NoiseFloor bare = floor();
        bare.keptByPoint.clear();
        const auto less = readBack(mapOf(bare));
        HEADSCOPE_VERIFY_OK(less);
        QVERIFY(less->floor && less->floor->keptByPoint.empty());
        const auto none = readBack(mapOf(std::nullopt));
        HEADSCOPE_VERIFY_OK(none);
        QVERIFY(!none->floor);
    }

    /// Shares outside 0 to 1 are none: nothing is made of them.
    void whatCannotBeIsNothing()
    {
        NoiseFloor wrong = floor();
        wrong.keptByPoint[1] = 1.5F;
        const auto shares = readBack(mapOf(wrong));
        HEADSCOPE_VERIFY_OK(shares);
        QVERIFY(shares->floor && shares->floor->keptByPoint.empty());
        wrong.twins = 0;
        const auto twins = readBack(mapOf(wrong));
        HEADSCOPE_VERIFY_OK(twins);
        QVERIFY(!twins->floor);
    }

    void othersComeBack()
    {
        MapOfSet each;
        each.correlation = 0.75;
        each.others = MapAgreement{10, 0.25, 0.351};
        each.othersByPoint = {0.1F, 0.3F, 0.35F};
        const auto path = m_folder.file("others.h5");
        {
            auto file = Hdf5Writer::create(path);
            HEADSCOPE_VERIFY_OK(file);
            HEADSCOPE_VERIFY_OK(writeRecord(*file, "/one", recordOf(each)));
            HEADSCOPE_VERIFY_OK(file->publish());
        }
        const auto file = Hdf5Reader::open(path, m_job);
        HEADSCOPE_VERIFY_OK(file);
        MapOfSet read;
        HEADSCOPE_VERIFY_OK(readRecord(*file, "/one", recordOf(read)));
        QVERIFY(read.others == each.others && read.othersByPoint == each.othersByPoint && read.correlation == 0.75);
    }
};

HEADSCOPE_TEST_GUILESS(TestMapRecords)
#include "tst_map_records.moc"
