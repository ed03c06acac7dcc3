// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/figure_legend.h"

#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope::viz;

namespace
{

Legend categories(int count, const QString& name = QStringLiteral("Label number"))
{
    CategoryLegend content;
    for (int i = 0; i < count; ++i)
        content.entries.push_back({QStringLiteral("%1 %2").arg(name).arg(i), i, 1000 - i, 0xff336699, 0, {}});
    return {QStringLiteral("Topic"), {}, content};
}

/// `groups` of `members` heads each.
Legend heads(std::int64_t groups, std::int64_t members)
{
    HeadLegend content;
    for (std::int64_t group = 0; group < groups; ++group)
    {
        HeadLegendRow row;
        row.name = QStringLiteral("KV%1").arg(group + 1);
        row.range = QStringLiteral("%1").arg(group * members + 1);
        row.group = group;
        for (std::int64_t head = group * members; head < (group + 1) * members; ++head)
        {
            row.heads.push_back(head);
            row.colors.push_back(0xff336699);
            row.shapes.push_back(MarkerShape::Circle);
        }
        content.rows.push_back(row);
    }
    return {QStringLiteral("Head"), {}, content};
}

LegendStyle paper()
{
    LegendStyle style;
    style.textPx = 8;
    return style;
}

} // namespace

class TestFigureLegend : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyEntryHasAPlaceBesideTheOthers_data()
    {
        QTest::addColumn<double>("mm");
        QTest::addColumn<int>("labels");
        for (const double mm : {60.0, 77.0, 160.0, 171.45, 400.0})
            for (const int labels : {1, 3, 25, 120})
                QTest::addRow("%g mm, %d labels", mm, labels) << mm << labels;
    }
    void everyEntryHasAPlaceBesideTheOthers()
    {
        QFETCH(const double, mm);
        QFETCH(const int, labels);
        const double width = mm / 25.4 * 72;
        const FigureLegend made =
            figureLegend(categories(labels), paper(), {width, 0}, [](double w) { return 0.7 * w; });
        QVERIFY(made.legend);
        QCOMPARE(made.size.width(), width);
        QVERIFY(made.picture.width() >= 0.6 * width);
        std::vector<QRectF> places = {made.picture};
        const QRectF all(QPointF(0, 0), made.size);
        for (int i = 0; i < labels; ++i)
        {
            const auto box = made.legend->boxOf({LegendHit::Kind::Category, i});
            QVERIFY2(box, qPrintable(QString::number(i)));
            const QRectF place = box->translated(made.place);
            QVERIFY(all.adjusted(-0.01, -0.01, 0.01, 0.01).contains(place));
            for (const QRectF& other : places)
                QVERIFY(!other.adjusted(0.01, 0.01, -0.01, -0.01).intersects(place));
            QVERIFY(made.legend->elidedNameAt(box->center()).isEmpty());
            places.push_back(place);
        }
    }

    void fewShortLabelsStandBesideThePicture()
    {
        const FigureLegend made = figureLegend(categories(5), paper(), {474, 0}, [](double w) { return 0.7 * w; });
        QVERIFY(!made.below);
        QCOMPARE(made.size.height(), made.picture.height());
        const FigureLegend narrow = figureLegend(categories(5), paper(), {206, 0}, [](double w) { return 0.7 * w; });
        QVERIFY(narrow.below);
    }

    void headsAreAllThere_data()
    {
        QTest::addColumn<int>("groups");
        QTest::addColumn<int>("members");
        QTest::newRow("8 groups of 4") << 8 << 4;
        QTest::newRow("one group of 32") << 1 << 32;
        QTest::newRow("64 single heads") << 64 << 1;
        QTest::newRow("40 groups of 2") << 40 << 2;
    }
    void headsAreAllThere()
    {
        QFETCH(const int, groups);
        QFETCH(const int, members);
        for (const double width : {206.0, 474.0})
        {
            const FigureLegend made =
                figureLegend(heads(groups, members), paper(), {width, 0}, [](double w) { return 0.5 * w; });
            QVERIFY(made.legend);
            const QRectF all(QPointF(0, 0), made.size);
            for (std::int64_t head = 0; head < groups * members; ++head)
            {
                const auto box = made.legend->boxOf({LegendHit::Kind::Head, head});
                QVERIFY(box);
                QVERIFY(all.contains(box->translated(made.place).center()));
                QVERIFY(!made.picture.intersects(box->translated(made.place)));
            }
        }
    }

    /// A height that is given is kept; a legend that would leave the picture nothing is left out.
    void aGivenHeightStays()
    {
        const FigureLegend made = figureLegend(categories(25), paper(), {474, 300}, {});
        QCOMPARE(made.size.height(), 300.0);
        QVERIFY(made.picture.height() >= 0.4 * 300);
        QVERIFY(!figureLegend(categories(200), paper(), {100, 100}, {}).legend);
    }
};

HEADSCOPE_TEST(TestFigureLegend)
#include "tst_figure_legend.moc"
