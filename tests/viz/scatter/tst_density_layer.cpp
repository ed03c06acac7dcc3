// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/density_layer.h"

#include "tests/viz/sample_values.h"

#include "viz/color/color_map.h"
#include "viz/color/oklab.h"

#include <QtTest>

#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

QImage painted(const ScatterData& data, int threads, ScatterCounts& counts)
{
    QImage image(160, 120, QImage::Format_ARGB32_Premultiplied);
    DensityLayer layer;
    layer.paint(image, data, DeviceTransform(ViewTransform({0, 0}, 10, {160, 120}), 1), 1, {}, threads, counts);
    return image;
}

} // namespace

class TestDensityLayer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameForAnyThreadCount();
    void denserIsDarker();
};

void TestDensityLayer::sameForAnyThreadCount()
{
    const HeadMap map = viz::test::sampleMap(20'000, 9);
    ScatterData data;
    data.xy = map.xy.values();
    ScatterCounts counts;
    const QImage one = painted(data, 1, counts);
    for (const int threads : {2, 3, 8})
    {
        ScatterCounts again;
        QVERIFY(painted(data, threads, again) == one);
        QCOMPARE(again.drawn, counts.drawn);
    }
    QCOMPARE(counts.drawn + counts.outside, std::int64_t{180'000});
}

void TestDensityLayer::denserIsDarker()
{
    std::vector<float> xy = {-3, 0}; // one point here, a hundred there
    for (int i = 0; i < 100; ++i)
        xy.insert(xy.end(), {3, 0});
    ScatterData data;
    data.xy = xy;
    ScatterCounts counts;
    const QImage image = painted(data, 2, counts);
    const double one = toOklch(QColor(image.pixel(50, 60))).lightness;
    const double many = toOklch(QColor(image.pixel(110, 60))).lightness;
    QCOMPARE(image.pixel(80, 60), inks(Theme::Light).background.rgb());
    QVERIFY(many < one && one < 0.95);
}

QTEST_GUILESS_MAIN(TestDensityLayer)
#include "tst_density_layer.moc"
