// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/attention/attention_run.h"

#include "tests/support/test_program.h"

using namespace headscope;

class TestAttentionRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsWhatItHolds()
    {
        AttentionRun run;
        run.model.heads = 2;
        run.layers = {LayerIndex(3), LayerIndex(7)};
        run.ids = {5, 6, 7};
        run.thumbnailSide = 3;
        run.thumbnails = MatrixF(4, 9);
        for (std::int64_t row = 0; row < 4; ++row)
            run.thumbnails(row, 5) = static_cast<float>(row); // query 1, key 2
        run.weights = {{LayerIndex(7), HeadIndex(1), std::make_shared<const MatrixF>(3, 3)}};
        run.vectors = {std::make_shared<const LayerVectors>(LayerVectors{LayerIndex(3), {}, {}, {}, {}})};

        QCOMPARE(run.tokenCount(), std::int64_t(3));
        QCOMPARE(run.placeOf(LayerIndex(7)), std::optional<std::size_t>(1));
        QVERIFY(!run.placeOf(LayerIndex(4)) && !run.placeOf(LayerIndex(8)));
        QCOMPARE(run.thumbnail(LayerIndex(7), HeadIndex(1))(1, 2), 3.0F);
        QCOMPARE(run.thumbnail(LayerIndex(3), HeadIndex(1))(1, 2), 1.0F);
        QCOMPARE(run.weightsOf(LayerIndex(7), HeadIndex(1)), run.weights.front().rows.get());
        QVERIFY(!run.weightsOf(LayerIndex(7), HeadIndex(0)) && !run.weightsOf(LayerIndex(3), HeadIndex(1)));
        QVERIFY(run.vectorsOf(LayerIndex(3)) && !run.vectorsOf(LayerIndex(7)));
    }
};

HEADSCOPE_TEST_GUILESS(TestAttentionRun)
#include "tst_attention_run.moc"
