// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_sums.h"

#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::test;

class TestHeadSums : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheRecordedStatistics_data()
    {
        QTest::addColumn<QString>("cache");
        QTest::newRow("a") << "a";
        QTest::newRow("b") << "b";
    }

    void equalsTheRecordedStatistics()
    {
        QFETCH(QString, cache);
        const std::string name = cache.toStdString();
        const GoldenFile file(golden("analysis/heads.h5"));
        const HeadVectors vectors = goldenHeads(file, name + "/cache/heads");
        const auto labels = goldenLabels(file, name + "/cache/label");
        const auto numTopics = file.shape(name + "/cache/topics")[0];
        // Kept per topic plus one part for the unlabelled, so that their union is everything.
        std::vector<std::int32_t> part = labels;
        for (std::int32_t& value : part)
            value = value < 0 ? static_cast<std::int32_t>(numTopics) : value;
        JobContext job;
        const auto sums = HeadSums::collect(vectors, part, numTopics + 1, 2, job);
        HEADSCOPE_VERIFY_OK(sums);
        const auto everything = allIndices(numTopics + 1);
        std::vector<double> mean;
        std::vector<double> sd;
        std::vector<double> spread;
        std::vector<double> without;
        std::vector<double> score;
        for (const HeadStatistics& s : sums->statistics(everything))
        {
            mean.push_back(s.meanNorm);
            sd.push_back(s.sdNorm);
            spread.push_back(s.spread);
            without.push_back(s.spreadWithoutSelf);
            score.push_back(s.score);
        }
        const std::string stats = name + "/stats/";
        QVERIFY(relmax(mean, file.doubles(stats + "mean_norm")) <= 1e-11);
        QVERIFY(relmax(sd, file.doubles(stats + "sd_norm")) <= 1e-11);
        QVERIFY(absmax(spread, file.doubles(stats + "mean_cosine_distance")) <= 1e-11);
        QVERIFY(absmax(without, file.doubles(stats + "mean_cosine_distance_without_self")) <= 1e-11);
        QVERIFY(relmax(score, file.doubles(stats + "score")) <= 1e-11);
        QVERIFY(absmax(sums->meanUnitVectors(everything).values(), file.doubles(stats + "mean_unit_vector")) <= 1e-11);
    }

    /// The closed form against the definition over all pairs, for one topic alone.
    void aPartEqualsItsDocumentsAlone()
    {
        const GoldenFile file(golden("analysis/heads.h5"));
        const HeadVectors vectors = goldenHeads(file, "a/cache/heads");
        const auto labels = goldenLabels(file, "a/cache/label");
        JobContext job;
        const auto sums = HeadSums::collect(vectors, labels, 6, 1, job);
        HEADSCOPE_VERIFY_OK(sums);
        const std::vector<std::int64_t> topic{2};
        const auto statistics = sums->statistics(topic);
        std::vector<std::int64_t> members;
        for (std::size_t i = 0; i < labels.size(); ++i)
            if (labels[i] == 2)
                members.push_back(static_cast<std::int64_t>(i));
        QCOMPARE(statistics[3].documents, std::ssize(members));
        double distance = 0;
        for (const auto i : members)
        {
            for (const auto j : members)
            {
                double dot = 0;
                double a = 0;
                double b = 0;
                for (std::size_t k = 0; k < 12; ++k)
                {
                    const double x = vectors.vector(DocumentIndex(i), HeadIndex(3))[k];
                    const double y = vectors.vector(DocumentIndex(j), HeadIndex(3))[k];
                    dot += x * y;
                    a += x * x;
                    b += y * y;
                }
                distance += 1 - dot / std::sqrt(a * b);
            }
        }
        const auto n = static_cast<double>(members.size());
        QVERIFY(std::abs(statistics[3].spread - distance / (n * n)) <= 1e-9);
    }

    void zeroAndNonFiniteVectorsAreCountedApart()
    {
        std::vector<float> values{3, 4, 0, 0, std::numeric_limits<float>::quiet_NaN(), 1, 6, 8};
        const HeadVectors vectors(Stage::HeadOutput, LayerIndex(0), 4, 1, 2, std::move(values));
        JobContext job;
        const auto sums = HeadSums::collect(vectors, {}, 1, 1, job);
        HEADSCOPE_VERIFY_OK(sums);
        const auto s = sums->statistics(std::vector<std::int64_t>{0})[0];
        QCOMPARE(s.documents, 3);
        QCOMPARE(s.meanNorm, 5.0);
        QVERIFY(std::abs(s.spread) < 1e-15); // the two vectors with a direction point the same way
    }

    void sameBitsOnAnyNumberOfThreads()
    {
        const GoldenFile file(golden("analysis/heads.h5"));
        const HeadVectors vectors = goldenHeads(file, "b/cache/heads");
        JobContext job;
        const std::vector<std::int64_t> all{0};
        const auto one = HeadSums::collect(vectors, {}, 1, 1, job)->meanUnitVectors(all);
        for (const int threads : {2, 3, 8})
            QVERIFY(HeadSums::collect(vectors, {}, 1, threads, job)->meanUnitVectors(all) == one);
    }

    void stopsWhenAsked()
    {
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token());
        const HeadVectors vectors(Stage::HeadOutput, LayerIndex(0), 1, 1, 1, {1.0F});
        QCOMPARE(HeadSums::collect(vectors, {}, 1, 1, job).error().code, ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestHeadSums)
#include "tst_head_sums.moc"
