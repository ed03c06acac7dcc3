// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/probe_painter.h"

#include "tests/viz/sample_values.h"
#include "viz/color/head_palette.h"

#include <QImage>
#include <QPainter>
#include <QtTest>

#include <cmath>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

constexpr QRgb kPaper = qRgb(255, 255, 255);

QImage paper(QSize size)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(kPaper);
    return image;
}

bool staysInside(const QImage& image, const QRect& box)
{
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (!box.contains(x, y) && image.pixel(x, y) != kPaper)
                return false;
    return true;
}

} // namespace

class TestProbePainter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tableText();
    void tableStaysInside();
    void confusionCells();
    void confusionStaysInside_data();
    void confusionStaysInside();
    void bars();
    void empty();
};

void TestProbePainter::tableText()
{
    ProbeResult plain = viz::test::sampleProbe(8, 2, Stage::HeadOutput);
    plain.stage.reset();
    plain.layer.reset();
    plain.macroF1 = std::nan("");
    const std::vector<ProbeResult> results = {viz::test::sampleProbe(8, 2, Stage::OutputSegment), plain};
    const TextTable table = probeTable(results);
    QCOMPARE(table.rows.size(), std::size_t{2});
    for (const auto& row : table.rows)
        QCOMPARE(row.size(), table.header.size());
    QCOMPARE(table.rows[0][0], QStringLiteral("3"));
    QCOMPARE(table.rows[0][2], QString::number(results[0].accuracy, 'f', 3));
    QCOMPARE(table.rows[0].back(), QStringLiteral("6,400 / 1,600"));
    QCOMPARE(table.rows[1][0], QString(QChar(0x2013)));
    QCOMPARE(table.rows[1][4], QString(QChar(0x2013)));
}

void TestProbePainter::tableStaysInside()
{
    const std::vector<ProbeResult> results(3, viz::test::sampleProbe(8, 2, Stage::OutputSegment));
    for (const int width : {120, 300, 700})
    {
        QImage image = paper({width + 40, 200});
        QPainter painter(&image);
        const double height = paintTable(painter, QRectF(20, 20, width, 150), probeTable(results), {});
        painter.end();
        QVERIFY(height > 40 && height < 120);
        QVERIFY(staysInside(image, QRect(20, 20, width, static_cast<int>(std::ceil(height)))));
    }
}

void TestProbePainter::confusionCells()
{
    const ProbeResult result = viz::test::sampleProbe(8, 2, Stage::OutputSegment);
    const ConfusionLayout layout(result, viz::test::sampleModel(8, 2), QRectF(0, 0, 400, 300), {});
    QCOMPARE(layout.plot().width(), layout.plot().height());
    const double cell = layout.plot().width() / 8;
    for (std::int64_t truth = 0; truth < 8; ++truth)
        for (std::int64_t predicted = 0; predicted < 8; ++predicted)
        {
            const QPointF middle = layout.plot().topLeft() + QPointF((static_cast<double>(predicted) + 0.5) * cell,
                                                                     (static_cast<double>(truth) + 0.5) * cell);
            QVERIFY(layout.cellAt(middle) == std::pair(truth, predicted));
        }
    QVERIFY(!layout.cellAt({0, 0}).has_value());
    QImage image = paper({400, 300});
    QPainter painter(&image);
    layout.paint(painter, 1);
    painter.end();
    const auto at = [&](double truth, double predicted) {
        return qGray(image.pixel((layout.plot().topLeft() + QPointF(predicted + 0.5, truth + 0.5) * cell).toPoint()));
    };
    QVERIFY(at(0, 0) < at(0, 1) && at(0, 1) < at(0, 3)); // right, confused in the group, never
    QCOMPARE(at(0, 3), 255);
}

void TestProbePainter::confusionStaysInside_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("wide") << QSize(500, 240);
    QTest::newRow("tall") << QSize(260, 500);
    QTest::newRow("small") << QSize(150, 110);
}

void TestProbePainter::confusionStaysInside()
{
    QFETCH(QSize, size);
    const ProbeResult result = viz::test::sampleProbe(32, 8, Stage::OutputSegment);
    QImage image = paper(size + QSize(60, 60));
    QPainter painter(&image);
    const ConfusionLayout layout(result, viz::test::sampleModel(32, 8), QRectF(QPointF(30, 30), size), {});
    layout.paint(painter, 1);
    painter.end();
    QVERIFY(staysInside(image, QRect(QPoint(30, 28), size + QSize(0, 2)))); // the first label may rise by its ascent
    QVERIFY(layout.bottom() <= 30 + size.height() + 0.5);
}

void TestProbePainter::bars()
{
    const ProbeResult result = viz::test::sampleProbe(12, 3, Stage::OutputSegment);
    const ModelInfo info = viz::test::sampleModel(12, 3);
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
    ConfusionLayout(nothing, {}, QRectF(0, 0, 100, 100), {}).paint(painter, 1);
    paintHeadAccuracy(painter, QRectF(0, 0, 100, 100), nothing, {}, {});
    painter.end();
    QVERIFY(staysInside(image, QRect()));
    QVERIFY(!ConfusionLayout().cellAt({1, 1}).has_value());
}

QTEST_MAIN(TestProbePainter)
#include "tst_probe_painter.moc"
