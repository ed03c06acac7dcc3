// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/id_rows.h"

#include "tests/support/test_program.h"

#include <vector>

using namespace headscope;

class TestIdRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstRowOfAnIdCounts()
    {
        const std::vector<std::string> ids = {"a", "b", "a", "c"};
        const IdRows rows(ids);
        QCOMPARE(rows.row("a"), 0);
        QCOMPARE(rows.row("c"), 3);
        QCOMPARE(rows.row("d"), -1);
    }

    void anEmptyIdHasNoRow()
    {
        const std::vector<std::string> ids = {"", "b", ""};
        QCOMPARE(IdRows(ids).row(""), -1);
        QCOMPARE(IdRows(ids).row("b"), 1);
        QCOMPARE(IdRows({}).row(""), -1);
    }
};

HEADSCOPE_TEST_GUILESS(TestIdRows)
#include "tst_id_rows.moc"
