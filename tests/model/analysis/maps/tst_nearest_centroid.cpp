// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/nearest_centroid.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;

namespace
{

/// Two heads of two dims: head 0 around (1, 0), head 1 around (0, 1); document 2 has them swapped.
HeadVectors sample()
{
    return {Stage::HeadOutput,
            LayerIndex(0),
            4,
            2,
            2,
            {1.0F, 0.1F, 0.1F, 1.0F, 0.9F, 0.0F, 0.0F, 0.9F, 0.2F, 0.8F, 0.8F, 0.2F, 1.1F, 0.0F, 0.0F, 1.1F}};
}

PointIds allPoints(const HeadVectors& vectors)
{
    PointIds ids;
    for (std::int32_t document = 0; document < vectors.documents(); ++document)
        for (std::int32_t head = 0; head < vectors.heads(); ++head)
        {
            ids.document.push_back(document);
            ids.head.push_back(head);
        }
    return ids;
}

} // namespace

class TestNearestCentroid : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheSwappedDocument_data()
    {
        QTest::addColumn<bool>("cosine");
        QTest::newRow("Euclidean") << false;
        QTest::newRow("cosine") << true;
    }
    void findsTheSwappedDocument()
    {
        QFETCH(bool, cosine);
        const HeadVectors vectors = sample();
        JobContext job;
        for (const int threads : {1, 2, 3})
        {
            const auto found = nearestCentroids(vectors, allPoints(vectors),
                                                cosine ? Metric::Cosine : Metric::Euclidean, threads, job);
            HEADSCOPE_VERIFY_OK(found);
            QCOMPARE(found->head, (std::vector<std::int32_t>{0, 1, 0, 1, 1, 0, 0, 1}));
            QCOMPARE(found->strangers, 2);
        }
    }

    /// By angle a weak vector is as near as a strong one; by distance it lies at the weak head.
    void metricsDiffer()
    {
        const HeadVectors vectors(Stage::HeadOutput, LayerIndex(0), 2, 2, 2,
                                  {10.0F, 0.0F, 0.0F, 1.0F, 0.5F, 0.0F, 0.0F, 1.0F});
        JobContext job;
        const auto far = nearestCentroids(vectors, allPoints(vectors), Metric::Euclidean, 1, job);
        HEADSCOPE_VERIFY_OK(far);
        QCOMPARE(far->head, (std::vector<std::int32_t>{0, 1, 1, 1}));
        const auto angle = nearestCentroids(vectors, allPoints(vectors), Metric::Cosine, 1, job);
        HEADSCOPE_VERIFY_OK(angle);
        QCOMPARE(angle->head, (std::vector<std::int32_t>{0, 1, 0, 1}));
    }

    void vectorsThatAreNotFiniteHaveNone()
    {
        const HeadVectors vectors(Stage::HeadOutput, LayerIndex(0), 2, 1, 1, {std::nanf(""), 2.0F});
        JobContext job;
        const auto found = nearestCentroids(vectors, allPoints(vectors), Metric::Euclidean, 2, job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->head, (std::vector<std::int32_t>{-1, 0}));
        QCOMPARE(found->strangers, 0);
    }

    void refusesPointsOutside()
    {
        const HeadVectors vectors = sample();
        PointIds ids = allPoints(vectors);
        ids.head.back() = 2;
        JobContext job;
        const auto found = nearestCentroids(vectors, ids, Metric::Euclidean, 1, job);
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::InvalidArgument);
    }

    void stops()
    {
        const HeadVectors vectors = sample();
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token());
        const auto found = nearestCentroids(vectors, allPoints(vectors), Metric::Euclidean, 1, job);
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestNearestCentroid)
#include "tst_nearest_centroid.moc"
