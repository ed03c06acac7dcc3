// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/noise_floor_io.h"

#include "model/base/job_context.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QtTest>

using namespace headscope;

class TestNoiseFloorIo : public QObject
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

private Q_SLOTS:
    /// The intervals of the verdicts are made of the shares by point: without them a stored map says less.
    void whatIsWrittenIsRead()
    {
        const auto path = m_folder.file("floor.h5");
        const MapAgreement others{10, 0.25, 0.351};
        const std::vector<float> byPoint = {0.1F, 0.3F, 0.35F};
        {
            auto file = Hdf5Writer::create(path);
            HEADSCOPE_VERIFY_OK(file);
            for (const char* group : {"/whole", "/bare", "/none"})
                HEADSCOPE_VERIFY_OK(file->makeGroup(group));
            HEADSCOPE_VERIFY_OK(writeNoiseFloor(*file, "/whole", floor()));
            HEADSCOPE_VERIFY_OK(writeOthers(*file, "/whole", others, byPoint));
            NoiseFloor bare = floor();
            bare.keptByPoint.clear();
            HEADSCOPE_VERIFY_OK(writeNoiseFloor(*file, "/bare", bare));
            HEADSCOPE_VERIFY_OK(writeOthers(*file, "/bare", others, {}));
            HEADSCOPE_VERIFY_OK(file->publish());
        }
        const auto file = Hdf5Reader::open(path, m_job);
        HEADSCOPE_VERIFY_OK(file);
        const auto whole = readNoiseFloor(*file, "/whole");
        HEADSCOPE_VERIFY_OK(whole);
        QVERIFY(whole.value() == floor());
        std::vector<float> read;
        const auto agreement = readOthers(*file, "/whole", read);
        HEADSCOPE_VERIFY_OK(agreement);
        QVERIFY(agreement.value() == others);
        QCOMPARE(read, byPoint);

        const auto bare = readNoiseFloor(*file, "/bare");
        HEADSCOPE_VERIFY_OK(bare);
        QVERIFY(bare.value().has_value() && (*bare)->keptByPoint.empty());
        HEADSCOPE_VERIFY_OK(readOthers(*file, "/bare", read));
        QVERIFY(read.empty());

        const auto none = readNoiseFloor(*file, "/none");
        HEADSCOPE_VERIFY_OK(none);
        QVERIFY(!none.value().has_value());
    }

    /// Shares outside 0 to 1 are none: nothing is made of them.
    void whatCannotBeIsNothing()
    {
        const auto path = m_folder.file("wrong.h5");
        {
            auto file = Hdf5Writer::create(path);
            HEADSCOPE_VERIFY_OK(file);
            HEADSCOPE_VERIFY_OK(file->makeGroup("/shares"));
            HEADSCOPE_VERIFY_OK(file->makeGroup("/twins"));
            NoiseFloor wrong = floor();
            wrong.keptByPoint[1] = 1.5F;
            HEADSCOPE_VERIFY_OK(writeNoiseFloor(*file, "/shares", wrong));
            wrong.twins = 0;
            HEADSCOPE_VERIFY_OK(writeNoiseFloor(*file, "/twins", wrong));
            HEADSCOPE_VERIFY_OK(file->publish());
        }
        const auto file = Hdf5Reader::open(path, m_job);
        HEADSCOPE_VERIFY_OK(file);
        const auto shares = readNoiseFloor(*file, "/shares");
        HEADSCOPE_VERIFY_OK(shares);
        QVERIFY(shares.value().has_value() && (*shares)->keptByPoint.empty());
        const auto twins = readNoiseFloor(*file, "/twins");
        HEADSCOPE_VERIFY_OK(twins);
        QVERIFY(!twins.value().has_value());
    }
};

HEADSCOPE_TEST_GUILESS(TestNoiseFloorIo)
#include "tst_noise_floor_io.moc"
