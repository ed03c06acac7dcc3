// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/confusion_painter.h"

#include "tests/support/test_program.h"
#include "tests/viz/golden_image.h"
#include "tests/viz/paper.h"
#include "tests/viz/sample_values.h"
#include "viz/color/head_palette.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>
#include <string>

using namespace headscope;
using namespace headscope::viz;
using test::paper;
using test::staysInside;

class TestConfusionPainter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cells()
    {
        const ProbeResult result = test::sampleProbe(8, 2, Stage::OutputSegment);
        const ConfusionLayout layout(result, test::sampleModel(8, 2), QRectF(0, 0, 400, 300), {});
        QCOMPARE(layout.plot().width(), layout.plot().height());
        for (std::int64_t truth = 0; truth < 8; ++truth)
            for (std::int64_t predicted = 0; predicted < 8; ++predicted)
                QVERIFY(layout.cellAt(layout.cellRect({truth, predicted}).center()) == std::pair(truth, predicted));
        QVERIFY(!layout.cellAt({0, 0}).has_value());
        QCOMPARE(layout.shareOf({0, 0}), static_cast<double>(result.confusion(0, 0)) / 200);
    }

    void shadesFollowTheValues_data()
    {
        QTest::addColumn<int>("values");
        QTest::addColumn<int>("scale");
        for (int values = 0; values < 2; ++values)
            for (int scale = 0; scale < 3; ++scale)
                QTest::addRow("values %d scale %d", values, scale) << values << scale;
    }

    void shadesFollowTheValues()
    {
        QFETCH(int, values);
        QFETCH(int, scale);
        const ProbeResult result = test::sampleProbe(8, 2, Stage::OutputSegment);
        ConfusionStyle style;
        style.chart.textPx = 40; // no room for numbers in the cells
        style.values = static_cast<ConfusionValues>(values);
        style.scale = static_cast<ShadeScale>(scale);
        const ConfusionLayout layout(result, test::sampleModel(8, 2), QRectF(0, 0, 500, 400), style);
        QImage image = paper({500, 400});
        QPainter painter(&image);
        layout.paint(painter, 1);
        painter.end();
        const auto at = [&](std::int64_t truth, std::int64_t predicted) {
            return qGray(image.pixel(layout.cellRect({truth, predicted}).center().toPoint()));
        };
        // Right, confused inside the group, hardly confused, never.
        QVERIFY(at(5, 5) < at(5, 6) && at(5, 6) <= at(5, 4));
        QVERIFY(at(5, 4) < 255);
        QCOMPARE(at(5, 0), 255);
    }

    /// Chosen heads: classes are places among them, colours and groups are those of the heads.
    void chosenHeadsKeepTheirGroups()
    {
        ProbeResult result = test::sampleProbe(3, 3, Stage::HeadOutput);
        const std::int64_t heads[] = {1, 4, 5};
        for (std::size_t i = 0; i < 3; ++i)
            result.perHead[i].head = heads[i];
        const ModelInfo model = test::sampleModel(8, 2); // 1 | 4 5
        const ConfusionLayout layout(result, model, QRectF(0, 0, 400, 300), {});
        QCOMPARE(layout.headOf(1).value(), 4);
        QImage image = paper({400, 300});
        QPainter painter(&image);
        layout.paint(painter, 1);
        painter.end();
        const HeadPalette palette(model);
        for (std::int64_t i = 0; i < 3; ++i)
        {
            const QPointF strip(layout.cellRect({i, 0}).center().x(), layout.plot().bottom() + 4);
            const QPointF column(layout.cellRect({0, i}).center().x(), strip.y());
            QCOMPARE(QColor(image.pixel(column.toPoint())), palette.color(HeadIndex(heads[i])));
        }
    }

    void staysInside_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<Stage>("stage");
        for (const Stage stage : {Stage::HeadOutput, Stage::OutputSegment})
        {
            const std::string unit(unitName(stage)); // names of segments, one a class, are closest to the edge
            QTest::addRow("wide, %ss", unit.c_str()) << QSize(500, 240) << stage;
            QTest::addRow("tall, %ss", unit.c_str()) << QSize(260, 500) << stage;
            QTest::addRow("small, %ss", unit.c_str()) << QSize(150, 110) << stage;
            QTest::addRow("large, %ss", unit.c_str()) << QSize(900, 800) << stage;
        }
    }

    void staysInside()
    {
        QFETCH(QSize, size);
        QFETCH(Stage, stage);
        const ProbeResult result = test::sampleProbe(32, 8, stage);
        QImage image = paper(size + QSize(60, 60));
        QPainter painter(&image);
        const ConfusionLayout layout(result, test::sampleModel(32, 8), QRectF(QPointF(30, 30), size), {});
        layout.paint(painter, 1);
        painter.end();
        // The first label may rise by its ascent.
        QVERIFY(::staysInside(image, QRect(QPoint(30, 28), size + QSize(0, 2))));
        QVERIFY(layout.bottom() <= 30 + size.height() + 0.5);
    }

    /// Shapes alone: letters differ from machine to machine.
    void golden_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("confusion_light") << false;
        QTest::newRow("confusion_dark") << true;
    }

    void golden()
    {
        QFETCH(bool, dark);
        const ProbeResult result = test::sampleProbe(16, 4, Stage::HeadOutput); // groups are framed
        ConfusionStyle style;
        style.chart.theme = dark ? InkTheme::Dark : InkTheme::Light;
        style.chart.textPx = 24;
        QImage image(360, 260, QImage::Format_RGB32);
        image.fill(inks(style.chart.theme).background);
        QPainter painter(&image);
        const ConfusionLayout layout(result, test::sampleModel(16, 4), QRectF(4, 4, 352, 252), style);
        layout.paint(painter, 1);
        layout.paintFrame(painter, {5, 6});
        painter.end();
        const QString difference =
            test::differsFromGolden(image.copy(layout.plot().toRect()), QLatin1StringView(QTest::currentDataTag()));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void empty()
    {
        const ProbeResult nothing;
        QImage image = paper({100, 100});
        QPainter painter(&image);
        const ConfusionLayout layout(nothing, {}, QRectF(0, 0, 100, 100), {});
        layout.paint(painter, 1);
        layout.paintFrame(painter, {0, 0});
        painter.end();
        QVERIFY(::staysInside(image, QRect()));
        QVERIFY(!ConfusionLayout().cellAt({1, 1}).has_value());
    }
};

HEADSCOPE_TEST(TestConfusionPainter)
#include "tst_confusion_painter.moc"
