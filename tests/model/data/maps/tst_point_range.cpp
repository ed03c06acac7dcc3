// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/point_range.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

class TestPointRange : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheFirstOutside()
    {
        QVERIFY(!firstOutside(std::vector<std::int32_t>{0, 2, 1}, 3).has_value());
        QVERIFY(!firstOutside({}, 0).has_value());
        QCOMPARE(firstOutside(std::vector<std::int32_t>{0, 3, 4}, 3), std::optional<std::size_t>(1));
        QCOMPARE(firstOutside(std::vector<std::int32_t>{2, 0, -1}, 3), std::optional<std::size_t>(2));
    }

    void saysWhichPointIsNotThere()
    {
        const PointIds points{{0, 1, 191}, {8, 0, 3}};
        QVERIFY(expectPointsOf(points, 192, 9, "m"));
        const Status document = expectPointsOf(points, 191, 9, "m");
        QVERIFY(!document);
        QCOMPARE(document.error().code, ErrorCode::ShapeMismatch);
        QCOMPARE(document.error().message,
                 std::string("expected points of 191 documents and 9 heads, found document 191, head 3"));
        QCOMPARE(document.error().place, std::string("map m, point 2"));
        const Status head = expectPointsOf(points, 192, 8, "m");
        QVERIFY(!head);
        QCOMPARE(head.error().message,
                 std::string("expected points of 192 documents and 8 heads, found document 0, head 8"));
        QVERIFY(expectPointsOf(points, 192, std::nullopt, "m"));
        QVERIFY(!expectPointsOf(points, 191, std::nullopt, "m"));
    }

    /// Points of the full vector are of no head.
    void theFullVectorHasNoHead()
    {
        const PointIds points{{0, 5}, {}};
        QVERIFY(expectPointsOf(points, 6, 9, "full"));
        const Status outside = expectPointsOf(points, 5, 9, "full");
        QVERIFY(!outside);
        QCOMPARE(outside.error().message, std::string("expected points of 5 documents and 9 heads, found document 5"));
    }
};

HEADSCOPE_TEST_GUILESS(TestPointRange)
#include "tst_point_range.moc"
