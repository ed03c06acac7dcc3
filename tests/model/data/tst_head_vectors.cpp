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
        const auto points = gatherPoints(vectors, allIndices(3), allIndices(2));
        QCOMPARE(points.leftOut, 2);
        QCOMPARE(points.ids.document, (std::vector<std::int32_t>{0, 0, 1, 2}));
        QCOMPARE(points.ids.head, (std::vector<std::int32_t>{0, 1, 0, 1}));
        QCOMPARE(points.vectors.rows(), 4);
        QCOMPARE(points.vectors.cols(), 4);
    }

    void gatherTakesWhatWasChosen()
    {
        const std::vector<std::int64_t> documents{2, 0};
        const std::vector<std::int64_t> heads{1};
        const auto points = gatherPoints(make(), documents, heads);
        QCOMPARE(points.vectors(0, 0), 20.0F);
        QCOMPARE(points.vectors(1, 0), 4.0F);
    }

    void gatherSharesWhatIsTakenWhole()
    {
        HeadPoints points;
        {
            const HeadVectors vectors = make();
            points = gatherPoints(vectors, allIndices(3), allIndices(2));
            QCOMPARE(points.vectors.data(), vectors.values().data());
            const std::vector<std::int64_t> turned{1, 0};
            QVERIFY(gatherPoints(vectors, allIndices(3), turned).vectors.data() != vectors.values().data());
            QVERIFY(gatherPoints(vectors, allIndices(2), allIndices(2)).vectors.data() != vectors.values().data());
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
