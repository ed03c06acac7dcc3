// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/geometry/vector_geometry.h"

#include "model/analysis/geometry/intrinsic_dimension.h"
#include "model/analysis/statistics/jackknife.h"
#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stop_token>

using namespace headscope;
using namespace headscope::test;

namespace
{

bool isNear(double found, double expected)
{
    return std::abs(found - expected) <= 1e-10 * std::abs(expected);
}

/// Holds the numbers against the recorded ones of a group.
void compare(const VectorGeometry& found, const GoldenFile& file, const std::string& group)
{
    const auto recorded = [&](const char* name) { return file.doubles(group + "/" + name).front(); };
    QCOMPARE(found.distinct, file.integers(group + "/distinct").front());
    QVERIFY(isNear(found.effectiveRank, recorded("effective_rank")));
    QVERIFY(isNear(found.effectiveRankCentred, recorded("effective_rank_centred")));
    QVERIFY(isNear(found.participation, recorded("participation")));
    QVERIFY(isNear(found.participationCentred, recorded("participation_centred")));
    QVERIFY(isNear(found.participationCentred / static_cast<double>(found.dims), recorded("isotropy")));
    QVERIFY(std::abs(found.anisotropy - recorded("anisotropy")) <= 1e-11);
    QVERIFY(std::abs(found.anisotropyCentred - recorded("anisotropy_centred")) <= 1e-11);
    QVERIFY(std::abs(found.twonn / recorded("twonn") - 1) <= 1e-9);
    QVERIFY(found.anisotropyCi95.low < found.anisotropy && found.anisotropy < found.anisotropyCi95.high);
}

MatrixF recordedRows(const GoldenFile& file, const std::string& dataset)
{
    const auto shape = file.shape(dataset);
    return {shape[0], shape[1], file.floats(dataset)};
}

} // namespace

class TestVectorGeometry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheRecorded_data()
    {
        QTest::addColumn<QString>("group");
        for (const char* group : {"gaussian", "roll", "duplicates", "lowrank"})
            QTest::newRow(group) << group;
    }

    void equalsTheRecorded()
    {
        QFETCH(QString, group);
        const std::string name = group.toStdString();
        const GoldenFile file(golden("circuits/geometry.h5"));
        const MatrixF rows = recordedRows(file, name + "/X");
        JobContext job;
        const auto found = vectorGeometry(rows.view(), 1, 2, job);
        HEADSCOPE_VERIFY_OK(found);
        compare(*found, file, name);
        const auto dimension = intrinsicDimension(rows.view(), 2, job);
        HEADSCOPE_VERIFY_OK(dimension);
        QVERIFY(std::abs(dimension->fitAll / file.doubles(name + "/twonn_all").front() - 1) <= 1e-9);
        QVERIFY(std::abs(dimension->likelihood / file.doubles(name + "/twonn_mle").front() - 1) <= 1e-9);
    }

    void equalsTheRecordedHeads()
    {
        const GoldenFile file(golden("circuits/geometry.h5"));
        const HeadVectors vectors = goldenHeads(file, "heads/X");
        JobContext job;
        const auto found = layerGeometry(vectors, std::array<std::int64_t, 3>{0, 1, 3}, 1, 1, job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->heads.size(), std::size_t{3});
        for (const VectorGeometry& head : found->heads)
            compare(head, file, "heads/" + std::to_string(head.head));
        QCOMPARE(found->full.dims, 3 * vectors.dims());
        QCOMPARE(found->full.head, std::int64_t{-1});
        for (const int threads : {2, 3})
        {
            const auto again = layerGeometry(vectors, std::array<std::int64_t, 3>{0, 1, 3}, 1, threads, job);
            HEADSCOPE_VERIFY_OK(again);
            QCOMPARE(again->full.twonn, found->full.twonn);
            QCOMPARE(again->full.effectiveRank, found->full.effectiveRank);
            for (std::size_t i = 0; i < 3; ++i)
            {
                QCOMPARE(again->heads[i].effectiveRankCentred, found->heads[i].effectiveRankCentred);
                QCOMPARE(again->heads[i].twonnHalf, found->heads[i].twonnHalf);
            }
        }
    }

    void theIntervalLeavesOneOutAtATime()
    {
        const GoldenFile file(golden("circuits/geometry.h5"));
        const MatrixF all = recordedRows(file, "lowrank/X");
        std::vector<double> without;
        for (std::int64_t out = 0; out < all.rows(); ++out)
        {
            MatrixF rest(all.rows() - 1, all.cols());
            for (std::int64_t i = 0; i < rest.rows(); ++i)
                std::ranges::copy(all.row(i < out ? i : i + 1), rest.row(i).begin());
            without.push_back(anisotropy(rest.view(), {}).value);
        }
        const Anisotropy found = anisotropy(all.view(), {});
        const Interval expected = jackknifeInterval(found.value, without);
        QVERIFY(std::abs(found.ci95.low - expected.low) < 1e-12);
        QVERIFY(std::abs(found.ci95.high - expected.high) < 1e-12);
    }

    void equalVectorsHaveADirectionAndNoShape()
    {
        MatrixF rows(12, 3);
        for (std::int64_t i = 0; i < rows.rows(); ++i)
            std::ranges::copy(std::array{0.1F, 0.7F, -0.3F}, rows.row(i).begin());
        JobContext job;
        const auto found = vectorGeometry(rows.view(), 1, 1, job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->distinct, std::int64_t{1});
        QVERIFY(std::abs(found->anisotropy - 1) < 1e-12 && std::abs(found->effectiveRank - 1) < 1e-12);
        QVERIFY(std::isnan(found->effectiveRankCentred) && std::isnan(found->participationCentred));
        QVERIFY(std::isnan(found->anisotropyCentred) && std::isnan(found->twonn) && std::isnan(found->twonnHalf));
    }

    void whatHasNoDirectionIsLeftOut()
    {
        const GoldenFile file(golden("circuits/geometry.h5"));
        const MatrixF all = recordedRows(file, "gaussian/X");
        MatrixF more(all.rows() + 2, all.cols());
        for (std::int64_t i = 0; i < all.rows(); ++i)
            std::ranges::copy(all.row(i), more.row(i + 1).begin());
        more(all.rows() + 1, 3) = std::numeric_limits<float>::quiet_NaN();
        JobContext job;
        const auto found = vectorGeometry(more.view(), 1, 1, job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->leftOut, std::int64_t{2});
        compare(*found, file, "gaussian");
        const auto none = vectorGeometry(MatrixF(4, 3).view(), 1, 1, job);
        HEADSCOPE_VERIFY_OK(none);
        QVERIFY(none->documents == 0 && none->leftOut == 4 && std::isnan(none->effectiveRank));
    }

    /// Fewer documents than dimensions, down to one.
    void fewDocuments()
    {
        const GoldenFile file(golden("circuits/geometry.h5"));
        const MatrixF all = recordedRows(file, "gaussian/X");
        JobContext job;
        for (const std::int64_t count : {1, 2, 3, 5})
        {
            MatrixF few(count, all.cols());
            for (std::int64_t i = 0; i < count; ++i)
                std::ranges::copy(all.row(i), few.row(i).begin());
            const auto found = vectorGeometry(few.view(), 1, 1, job);
            HEADSCOPE_VERIFY_OK(found);
            QVERIFY(found->effectiveRank >= 1 - 1e-12 && found->effectiveRank <= static_cast<double>(count) + 1e-12);
            QCOMPARE(std::isfinite(found->twonn), count >= 3);
            QCOMPARE(std::isfinite(found->anisotropy), count >= 2);
            if (count > 1)
                QVERIFY(found->effectiveRankCentred <= static_cast<double>(count - 1) + 1e-9);
        }
    }

    void distinctRowsKeepTheFirstOfEach()
    {
        const MatrixF rows(5, 2, {1, 2, 0, 1, 1, 2, -0.0F, 1, 1, 3});
        QCOMPARE(distinctRows(rows.view()), (std::vector<std::int64_t>{0, 1, 4}));
    }

    void stops()
    {
        const GoldenFile file(golden("circuits/geometry.h5"));
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token());
        const HeadVectors vectors = goldenHeads(file, "heads/X");
        QVERIFY(layerGeometry(vectors, allIndices(4), 1, 2, job).error().code == ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestVectorGeometry)
#include "tst_vector_geometry.moc"
