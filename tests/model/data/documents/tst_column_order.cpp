// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/column_order.h"

#include "tests/support/test_program.h"

using namespace headscope;

class TestColumnOrder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesComeBack();
    void otherNames();
};

void TestColumnOrder::namesComeBack()
{
    using By = ColumnOrder::By;
    for (const auto& [order, name] :
         {std::pair(ColumnOrder(), "full"), std::pair(ColumnOrder{By::Clusters, {}}, "cluster"),
          std::pair(ColumnOrder{By::Index, {}}, "none"), std::pair(ColumnOrder::byHead(HeadIndex(0)), "1"),
          std::pair(ColumnOrder::byHead(HeadIndex(31)), "32")})
    {
        QCOMPARE(order.name(), std::string(name));
        QVERIFY(ColumnOrder::fromName(name) == order);
    }
}

void TestColumnOrder::otherNames()
{
    for (const char* name : {"", "0", "-1", "1.5", "3x", " 3", "Full", "99999999999999999999"})
        QVERIFY2(!ColumnOrder::fromName(name), name);
}

HEADSCOPE_TEST_GUILESS(TestColumnOrder)
#include "tst_column_order.moc"
