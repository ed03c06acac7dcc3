// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/matrix.h"

#include "model/data/matrix_rows.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestMatrix : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsAtZeroAndKeepsRows()
    {
        MatrixF matrix(2, 3);
        QCOMPARE(matrix(1, 2), 0.0F);
        matrix(1, 2) = 5;
        QCOMPARE(matrix.row(1)[2], 5.0F);
        QCOMPARE(matrix.values(), (std::vector<float>{0, 0, 0, 0, 0, 5}));
        QVERIFY(MatrixF().empty());
    }

    void viewsSkipWithTheirStride()
    {
        const MatrixF matrix(2, 4, {1, 2, 3, 4, 5, 6, 7, 8});
        const ConstMatrixView right(matrix.data() + 2, 2, 2, 4);
        QCOMPARE(right(1, 0), 7.0F);
        QVERIFY(!right.contiguous());
        QVERIFY(matrix.view().contiguous());
        QCOMPARE(right.row(0).size(), std::size_t{2});
        // Rows of it, in any order and more than once.
        QCOMPARE(takeRows(right, std::vector<std::int64_t>{1, 0, 1}), MatrixF(3, 2, {7, 8, 3, 4, 7, 8}));
        QVERIFY(takeRows(right, {}).empty());
    }
};

HEADSCOPE_TEST_GUILESS(TestMatrix)
#include "tst_matrix.moc"
