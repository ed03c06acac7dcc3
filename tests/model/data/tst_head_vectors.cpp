// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/head_vectors.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <limits>
#include <numeric>

using namespace headscope;

class TestHeadVectors : public QObject
{
    Q_OBJECT

    /// 3 documents x 2 heads x 4 dims, values 0..23.
    static HeadVectors make()
    {
        std::vector<float> values(24);
        std::iota(values.begin(), values.end(), 0.0F);
        return {Stage::HeadOutput, LayerIndex(5), 3, 2, 4, std::move(values)};
    }

private Q_SLOTS:
    void rowsAreFound()
    {
        const HeadVectors vectors = make();
        QCOMPARE(vectors.vector(DocumentIndex(1), HeadIndex(1))[0], 12.0F);
        QCOMPARE(vectors.full(DocumentIndex(2)).size(), std::size_t{8});
        QCOMPARE(vectors.full(DocumentIndex(2))[7], 23.0F);
        QCOMPARE(vectors.head(HeadIndex(1))(2, 3), 23.0F);
        QCOMPARE(vectors.head(HeadIndex(1)).rows(), 3);
        QCOMPARE(vectors.rows().rows(), 6);
        QCOMPARE(vectors.rows().row(3)[0], 12.0F);
    }

    void gatherKeepsOrderAndLeavesOutWhatIsNotFinite()
    {
        std::vector<float> values(24, 1.0F);
        values[13] = std::numeric_limits<float>::quiet_NaN(); // document 1, head 1
        values[16] = std::numeric_limits<float>::infinity();  // document 2, head 0
        const HeadVectors vectors(Stage::OutputSegment, LayerIndex(0), 3, 2, 4, std::move(values));
        const auto points = gatherPoints(vectors, allIndices(3), allIndices(2), 2);
        QCOMPARE(points.leftOut, 2);
        QCOMPARE(points.ids.document, (std::vector<std::int32_t>{0, 0, 1, 2}));
        QCOMPARE(points.ids.head, (std::vector<std::int32_t>{0, 1, 0, 1}));
        QCOMPARE(points.vectors.rows(), 4);
        QCOMPARE(points.vectors.cols(), 4);
    }

    /// More documents than one block of the loop has.
    void gatherLooksAtTheChosenHeadsOfEveryDocument()
    {
        constexpr std::int64_t kDocuments = 200;
        constexpr std::int64_t kHeads = 3;
        constexpr std::int64_t kDims = 5;
        std::vector<float> values(kDocuments * kHeads * kDims, 1.0F);
        const auto isBad = [](std::int64_t document, std::int64_t head) { return (document + 5 * head) % 7 == 0; };
        for (std::int64_t document = 0; document < kDocuments; ++document)
            for (std::int64_t head = 0; head < kHeads; ++head)
                if (isBad(document, head))
                    values[static_cast<std::size_t>((document * kHeads + head) * kDims + document % kDims)] =
                        std::numeric_limits<float>::infinity();
        const HeadVectors vectors(Stage::OutputSegment, LayerIndex(0), kDocuments, kHeads, kDims, std::move(values));
        for (const std::vector<std::int64_t>& heads : {std::vector<std::int64_t>{0, 2}, allIndices(kHeads)})
        {
            PointIds expected;
            for (std::int64_t document = 0; document < kDocuments; ++document)
                for (const std::int64_t head : heads)
                    if (!isBad(document, head))
                    {
                        expected.document.push_back(static_cast<std::int32_t>(document));
                        expected.head.push_back(static_cast<std::int32_t>(head));
                    }
            for (const int numThreads : {1, 2, 3})
            {
                const auto points = gatherPoints(vectors, allIndices(kDocuments), heads, numThreads);
                QCOMPARE(points.ids.document, expected.document);
                QCOMPARE(points.ids.head, expected.head);
                QCOMPARE(points.leftOut, kDocuments * std::ssize(heads) - std::ssize(expected.head));
            }
        }
    }

    void gatherTakesWhatWasChosen()
    {
        const std::vector<std::int64_t> documents{2, 0};
        const std::vector<std::int64_t> heads{1};
        const auto points = gatherPoints(make(), documents, heads, 2);
        QCOMPARE(points.vectors(0, 0), 20.0F);
        QCOMPARE(points.vectors(1, 0), 4.0F);
    }

    void gatherSharesWhatIsTakenWhole()
    {
        HeadPoints points;
        {
            const HeadVectors vectors = make();
            points = gatherPoints(vectors, allIndices(3), allIndices(2), 2);
            QCOMPARE(points.vectors.data(), vectors.values().data());
            const std::vector<std::int64_t> turned{1, 0};
            QVERIFY(gatherPoints(vectors, allIndices(3), turned, 2).vectors.data() != vectors.values().data());
            QVERIFY(gatherPoints(vectors, allIndices(2), allIndices(2), 2).vectors.data() != vectors.values().data());
        }
        // The numbers stay as long as the points.
        QCOMPARE(points.vectors.rows(), 6);
        QCOMPARE(points.vectors.row(5)[3], 23.0F);
        QCOMPARE(points.ids.documentOf(3), DocumentIndex(1));
        QCOMPARE(points.ids.headOf(3), HeadIndex(1));
    }
};

HEADSCOPE_TEST_GUILESS(TestHeadVectors)
#include "tst_head_vectors.moc"
