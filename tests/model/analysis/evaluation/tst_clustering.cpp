// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/evaluation/clustering.h"

#include "model/analysis/evaluation/resampled.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stop_token>

using namespace headscope;
using namespace headscope::test;

namespace
{

struct Recorded
{
    GoldenFile file{golden("circuits/evaluation.h5")};
    MatrixF rows{file.shape("clustering/X")[0], file.shape("clustering/X")[1], file.floats("clustering/X")};
    std::vector<std::int32_t> labels = codes("clustering/label");

    std::vector<std::int32_t> codes(const std::string& dataset) const
    {
        const auto values = file.integers(dataset);
        return {values.begin(), values.end()};
    }
};

} // namespace

class TestClustering : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheRecorded()
    {
        const Recorded recorded;
        const auto& file = recorded.file;
        JobContext job;
        const auto found = clusterFrom(recorded.rows.view(), file.integers("clustering/init"), job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->of, recorded.codes("clustering/cluster"));
        QCOMPARE(std::int64_t{found->iterations}, file.integers("clustering/iterations").front());
        QVERIFY(std::abs(found->inertia / file.doubles("clustering/inertia").front() - 1) <= 1e-12);
        const ClusterAgreement agreement = clusterAgreement(recorded.labels, found->of);
        QVERIFY(std::abs(agreement.homogeneity - file.doubles("clustering/homogeneity").front()) <= 1e-12);
        QVERIFY(std::abs(agreement.completeness - file.doubles("clustering/completeness").front()) <= 1e-12);
        QVERIFY(std::abs(agreement.vMeasure - file.doubles("clustering/v_measure").front()) <= 1e-12);
        QVERIFY(std::abs(agreement.adjustedRand - file.doubles("clustering/adjusted_rand").front()) <= 1e-12);
        const auto of = [&](std::int64_t measure, std::span<const std::int64_t> drawn) {
            const ClusterAgreement one = clusterAgreement(recorded.labels, found->of, drawn);
            return measure == 0 ? one.vMeasure : one.adjustedRand;
        };
        const auto seed = static_cast<std::uint64_t>(file.integers("clustering/bootstrap/seed").front());
        const auto resampled = resampledMeasures(recorded.rows.rows(), 2, of, {1000, seed}, 2, job);
        HEADSCOPE_VERIFY_OK(resampled);
        const std::array names = {"clustering/bootstrap/v_measure_ci", "clustering/bootstrap/adjusted_rand_ci"};
        for (std::int64_t measure = 0; measure < 2; ++measure)
        {
            const auto expected = file.doubles(names[static_cast<std::size_t>(measure)]);
            const Interval interval = intervalOf(*resampled, measure);
            QVERIFY(std::abs(interval.low - expected[0]) <= 1e-11 && std::abs(interval.high - expected[1]) <= 1e-11);
        }
    }

    void equalsTheRecordedStarts()
    {
        const Recorded recorded;
        const auto& file = recorded.file;
        const auto seed = static_cast<std::uint64_t>(file.integers("clustering/start/seed").front());
        const auto rows = file.integers("clustering/start/rows");
        const auto inertia = file.doubles("clustering/start/inertia");
        JobContext job;
        for (std::int64_t run = 0; run < 10; ++run)
        {
            const auto start = startingRows(recorded.rows.view(), 5, run, seed);
            QVERIFY(std::ranges::equal(start, std::span(rows).subspan(static_cast<std::size_t>(5 * run), 5)));
            const auto found = clusterFrom(recorded.rows.view(), start, job);
            HEADSCOPE_VERIFY_OK(found);
            QVERIFY(std::abs(found->inertia / inertia[static_cast<std::size_t>(run)] - 1) <= 1e-12);
        }
        for (const int threads : {1, 2, 3})
        {
            const auto best = clusterRows(recorded.rows.view(), 5, seed, threads, job);
            HEADSCOPE_VERIFY_OK(best);
            QCOMPARE(best->of, recorded.codes("clustering/start/cluster"));
        }
    }

    void agreementOfKnownTables()
    {
        const std::vector<std::int32_t> classes = {0, 0, 1, 1};
        QCOMPARE(clusterAgreement(classes, std::vector<std::int32_t>{1, 1, 0, 0}).vMeasure, 1.0);
        const ClusterAgreement one = clusterAgreement(classes, std::vector<std::int32_t>{0, 0, 0, 0});
        QVERIFY(one.homogeneity == 0 && one.completeness == 1 && one.vMeasure == 0 && one.adjustedRand == 0);
        const ClusterAgreement same =
            clusterAgreement(std::vector<std::int32_t>{0, 0}, std::vector<std::int32_t>{0, 0});
        QVERIFY(same.vMeasure == 1 && same.adjustedRand == 1);
        QVERIFY(clusterAgreement(classes, std::vector<std::int32_t>{0, 1, 0, 1}).adjustedRand < 0);
    }

    /// Equal rows, and as many clusters as rows: no NaN, no endless rounds.
    void edges()
    {
        MatrixF rows(6, 2);
        JobContext job;
        const auto equal = clusterRows(rows.view(), 3, 1, 2, job);
        HEADSCOPE_VERIFY_OK(equal);
        QVERIFY(equal->inertia == 0 && std::ranges::all_of(equal->of, [](std::int32_t of) { return of == 0; }));
        for (std::int64_t i = 0; i < 6; ++i)
            rows(i, 0) = static_cast<float>(i);
        const auto each = clusterRows(rows.view(), 6, 1, 2, job);
        HEADSCOPE_VERIFY_OK(each);
        QCOMPARE(each->inertia, 0.0);
        std::stop_source source;
        source.request_stop();
        JobContext stopped(source.get_token());
        QVERIFY(clusterRows(rows.view(), 2, 1, 1, stopped).error().code == ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestClustering)
#include "tst_clustering.moc"
