// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_info.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestModelInfo : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void headsShareKeysByIntegerDivision()
    {
        ModelInfo info;
        info.heads = 32;
        info.kvHeads = 8;
        QCOMPARE(info.groupSize(), 4);
        QCOMPARE(info.groupOf(HeadIndex(0)).value(), 0);
        QCOMPARE(info.groupOf(HeadIndex(3)).value(), 0);
        QCOMPARE(info.groupOf(HeadIndex(4)).value(), 1);
        QCOMPARE(info.groupOf(HeadIndex(31)).value(), 7);
        QCOMPARE(info.memberOf(HeadIndex(30)), 2);
    }

    void withoutKeyValueHeadsAllShareOneGroup()
    {
        ModelInfo info;
        info.heads = 12;
        QCOMPARE(info.groupOf(HeadIndex(11)).value(), 0);
    }
};

HEADSCOPE_TEST_GUILESS(TestModelInfo)
#include "tst_model_info.moc"
