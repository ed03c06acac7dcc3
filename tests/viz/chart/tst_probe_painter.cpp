// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/probe_painter.h"

#include "tests/support/test_program.h"
#include "tests/viz/paper.h"
#include "tests/viz/sample_values.h"
#include "viz/color/head_palette.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;
using namespace headscope::viz;
using test::paper;
using test::staysInside;

class TestProbePainter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tableText();
    void tableStaysInside();
    void bars();
    void empty();
};

void TestProbePainter::tableText()
{
    ProbeResult plain = test::sampleProbe(8, 2, Stage::HeadOutput);
    plain.stage.reset();
    plain.layer.reset();
    plain.macroF1 = std::nan("");
    const std::vector<ProbeResult> results = {test::sampleProbe(8, 2, Stage::OutputSegment), plain};
    const ModelInfo info = test::sampleModel(8, 2);
    const PaintedTable table = probeTable(results, info);
    QCOMPARE(table.rows.size(), std::size_t{2});
    for (const auto& row : table.rows)
        QCOMPARE(row.size(), table.header.size());
    QCOMPARE(table.rows[0][0], QStringLiteral("3"));
    QCOMPARE(table.rows[0][2], QString::number(results[0].accuracy, 'f', 3));
    QCOMPARE(table.rows[0].back(), QStringLiteral("6,400 / 1,600"));
    QCOMPARE(table.header.back(), QStringLiteral("Training / test vectors"));
    ProbeResult tested = results[0];
    tested.testDocuments = {4, 7, 4, 9};
    const std::vector<ProbeResult> ofDocuments = {tested};
    QCOMPARE(probeTable(ofDocuments, info).header.back(), QStringLiteral("Training / test vectors (documents)"));
    QCOMPARE(probeTable(ofDocuments, info).rows[0].back(), QStringLiteral("6,400 / 1,600 (3)"));
    QCOMPARE(table.rows[1][0], QString(QChar(0x2013)));
    QCOMPARE(table.rows[1][4], QString(QChar(0x2013)));
}

void TestProbePainter::tableStaysInside()
{
    const std::vector<ProbeResult> results(3, test::sampleProbe(8, 2, Stage::OutputSegment));
    for (const int width : {120, 300, 700})
    {
        QImage image = paper({width + 40, 200});
        QPainter painter(&image);
        const double height =
            paintTable(painter, QRectF(20, 20, width, 150), probeTable(results, test::sampleModel(8, 2)), {});
        painter.end();
        QVERIFY(height > 40 && height < 120);
        QVERIFY(staysInside(image, QRect(20, 20, width, static_cast<int>(std::ceil(height)))));
    }
}

void TestProbePainter::bars()
{
    const ProbeResult result = test::sampleProbe(12, 3, Stage::OutputSegment);
    const ModelInfo info = test::sampleModel(12, 3);
    const QRectF box(20, 20, 500, 120);
    QImage image = paper({540, 160});
    QPainter painter(&image);
    paintHeadAccuracy(painter, box, result, info, {});
    painter.end();
    QVERIFY(staysInside(image, box.toRect()));
    std::vector<int> heights(12, 0);
    for (int x = 20; x < 520; ++x)
        for (int y = 20; y < 140; ++y)
            if (const auto head = headAccuracyAt(box, result, {}, QPointF(x + 0.5, y + 0.5)))
                if (QColor(image.pixel(x, y)) == HeadPalette(info).color(HeadIndex(*head)))
                    ++heights[static_cast<std::size_t>(*head)];
    for (std::size_t a = 0; a < 12; ++a)
        for (std::size_t b = 0; b < 12; ++b)
            if (result.perHead[a].recall > result.perHead[b].recall + 0.05)
                QVERIFY(heights[a] > heights[b]);
    QVERIFY(!headAccuracyAt(box, result, {}, {0, 0}).has_value());
}

void TestProbePainter::empty()
{
    const ProbeResult nothing;
    QImage image = paper({100, 100});
    QPainter painter(&image);
    paintHeadAccuracy(painter, QRectF(0, 0, 100, 100), nothing, {}, {});
    painter.end();
    QVERIFY(staysInside(image, QRect()));
}

HEADSCOPE_TEST(TestProbePainter)
#include "tst_probe_painter.moc"
