// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_image.h"

#include "tests/support/test_program.h"
#include "tests/viz/golden_image.h"
#include "tests/viz/sample_values.h"

#include <QTest>

#include <limits>
#include <numeric>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<std::int64_t> rows(std::int64_t count)
{
    std::vector<std::int64_t> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

ColorScale scale()
{
    return {divergingMap(), {0, 1}, 0.5};
}

} // namespace

class TestHeatmapImage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void golden_data();
    void golden();
    void pixelSpansCoverAll_data();
    void pixelSpansCoverAll();
    void sharpCells();
    void meansOfSharedPixels();
    void missingValues();
    void empty();
};

void TestHeatmapImage::golden_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("theme");
    QTest::newRow("cells") << QStringLiteral("heatmap_cells") << 216 << static_cast<int>(InkTheme::Light);
    QTest::newRow("means") << QStringLiteral("heatmap_means") << 20 << static_cast<int>(InkTheme::Light);
    QTest::newRow("dark") << QStringLiteral("heatmap_dark") << 216 << static_cast<int>(InkTheme::Dark);
}

void TestHeatmapImage::golden()
{
    QFETCH(QString, name);
    QFETCH(int, width);
    QFETCH(int, theme);
    Heatmap heatmap = test::sampleHeatmap(9, 3, 12);
    heatmap.values(3, 5) = kNan;
    heatmap.values(4, 20) = kNan;
    const auto chosen = static_cast<InkTheme::Ground>(theme);
    const HeatmapRaster raster = heatmapImage(heatmap.values.view(), rows(10), 0, 36,
                                              {divergingMap(chosen), {-0.3, 0.9}, 0.3}, chosen, width, 100);
    QCOMPARE(raster.missing, 2);
    QCOMPARE(raster.averaged, width < 36);
    const QString difference = test::differsFromGolden(raster.image, name);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TestHeatmapImage::pixelSpansCoverAll_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("pixels");
    for (const auto& [count, pixels] :
         std::vector<std::pair<int, int>>{{1, 1}, {7, 7}, {7, 100}, {33, 500}, {120, 119}, {1000, 7}})
        QTest::addRow("%d in %d", count, pixels) << count << pixels;
}

void TestHeatmapImage::pixelSpansCoverAll()
{
    QFETCH(int, count);
    QFETCH(int, pixels);
    int next = 0;
    for (int i = 0; i < count; ++i)
    {
        const PixelSpan span = pixelSpan(i, count, pixels);
        QCOMPARE(span.begin, next);
        if (count <= pixels)
            QVERIFY(span.end > span.begin);
        next = span.end;
    }
    QCOMPARE(next, pixels);
    QCOMPARE(pixelSpan(0, 0, 10).end, 0);
}

void TestHeatmapImage::sharpCells()
{
    MatrixF values(2, 3);
    for (std::int64_t i = 0; i < 6; ++i)
        values(i / 3, i % 3) = static_cast<float>(i) / 5;
    const HeatmapRaster raster = heatmapImage(values.view(), rows(2), 0, 3, scale(), InkTheme::Light, 31, 17);
    QVERIFY(!raster.averaged);
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 3; ++column)
            for (int y = pixelSpan(row, 2, 17).begin; y < pixelSpan(row, 2, 17).end; ++y)
                for (int x = pixelSpan(column, 3, 31).begin; x < pixelSpan(column, 3, 31).end; ++x)
                    QCOMPARE(raster.image.pixel(x, y), scale().color(static_cast<double>(values(row, column))));
    // Rows in another order, columns from the middle.
    const HeatmapRaster part =
        heatmapImage(values.view(), std::vector<std::int64_t>{1}, 1, 2, scale(), InkTheme::Light, 2, 2);
    QCOMPARE(part.image.pixel(1, 1), scale().color(static_cast<double>(values(1, 1))));
}

void TestHeatmapImage::meansOfSharedPixels()
{
    MatrixF values(1, 6);
    for (std::int64_t i = 0; i < 6; ++i)
        values(0, i) = i % 2 == 0 ? 0.0F : 1.0F;
    values(0, 4) = kNan; // not part of the mean
    const HeatmapRaster raster = heatmapImage(values.view(), rows(1), 0, 6, scale(), InkTheme::Light, 3, 1);
    QVERIFY(raster.averaged);
    QCOMPARE(raster.columnsPerPixel, 2.0);
    QCOMPARE(raster.image.pixel(0, 0), scale().color(0.5));
    QCOMPARE(raster.image.pixel(2, 0), scale().color(1.0));
}

void TestHeatmapImage::missingValues()
{
    MatrixF values(1, 2);
    values(0, 0) = kNan;
    values(0, 1) = std::numeric_limits<float>::infinity();
    const HeatmapRaster small = heatmapImage(values.view(), rows(1), 0, 2, scale(), InkTheme::Light, 2, 1);
    QCOMPARE(small.image.pixel(0, 0), inks(InkTheme::Light).missing.rgb());
    QCOMPARE(small.missing, 2);
    const HeatmapRaster large = heatmapImage(values.view(), rows(1), 0, 2, scale(), InkTheme::Light, 40, 20);
    int stripes = 0;
    for (int x = 0; x < 40; ++x)
        stripes += large.image.pixel(x, 10) != inks(InkTheme::Light).missing.rgb() ? 1 : 0;
    QCOMPARE(stripes, 10);
}

void TestHeatmapImage::empty()
{
    const MatrixF values(2, 2);
    QVERIFY(heatmapImage(values.view(), rows(2), 0, 0, scale(), InkTheme::Light, 5, 5).image.isNull());
    QVERIFY(heatmapImage(values.view(), {}, 0, 2, scale(), InkTheme::Light, 5, 5).image.isNull());
    QVERIFY(heatmapImage(values.view(), rows(2), 0, 2, scale(), InkTheme::Light, 0, 5).image.isNull());
}

HEADSCOPE_TEST_GUILESS(TestHeatmapImage)
#include "tst_heatmap_image.moc"
