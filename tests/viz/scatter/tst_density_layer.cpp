// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/density_layer.h"

#include "tests/viz/sample_values.h"

#include "tests/support/test_program.h"
#include "viz/color/color_map.h"
#include "viz/color/oklab.h"

#include <QTest>

#include <array>
#include <cstdint>
#include <limits>
#include <stop_token>
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
    void countsBeyondAByte();
    void asksBeforeEachBlock();
    void sameForAnyThreadCount();
    void denserIsDarker();
    void meanColorIsSameForAnyThreadCount();
    void meanColorIsTheMeanAndPalerWhereFew();
};

void TestDensityLayer::countsBeyondAByte()
{
    constexpr int kPlaces = 7; // no multiple of the four points that are placed at once
    std::vector<float> xy;
    std::vector<PointState> states;
    const auto put = [&](float x, PointState state) {
        xy.insert(xy.end(), {x, 0.0F});
        states.push_back(state);
    };
    for (int i = 0; i < 100'000; ++i)
        put(static_cast<float>(i % 3), PointState::Shown); // 33,334 points at 0
    put(3, PointState::Shown);
    put(4, PointState::Dimmed);
    put(5, PointState::Hidden);
    for (int i = 0; i < 1'000; ++i)
        put(1e30F, PointState::Shown);
    put(std::numeric_limits<float>::quiet_NaN(), PointState::Shown);
    ScatterData data;
    data.xy = xy;
    data.states = states;
    const DeviceTransform transform(ViewTransform({3, 0}, 1, {kPlaces, 1}), 1);
    for (const int threads : {1, 2, 3})
    {
        PixelCounts pixels;
        ScatterCounts counts;
        std::vector<std::uint32_t> cells;
        pixels.collect(data, transform, kPlaces, 1, threads, counts);
        pixels.write(cells, threads);
        QCOMPARE(cells, (std::vector<std::uint32_t>{33'334, 33'333, 33'333, 1, 0, 0, 0}));
        QCOMPARE(counts.drawn, 100'001);
        QCOMPARE(counts.hidden, 2);
        QCOMPARE(counts.outside, 1'000);
        QCOMPARE(counts.notFinite, 1);
    }
}

/// A job that is stopped looks at no point and writes no row.
void TestDensityLayer::asksBeforeEachBlock()
{
    std::stop_source stopped;
    stopped.request_stop();
    const JobContext job(stopped.get_token());
    const std::vector<float> xy(400'000, 0.5F);
    ScatterData data;
    data.xy = xy;
    QImage image(160, 120, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::green);
    const QImage before = image.copy();
    const DeviceTransform transform(ViewTransform({0, 0}, 10, {160, 120}), 1);
    ScatterCounts counts;
    DensityLayer().paint(image, data, transform, 1, {}, 2, counts, job);
    MeanColorLayer().paint(image, data, transform, 1, {}, 2, counts, job);
    QCOMPARE(counts.drawn, 0);
    QVERIFY(image == before);
}

void TestDensityLayer::sameForAnyThreadCount()
{
    const HeadMap map = test::sampleMap(20'000, 9);
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
    QCOMPARE(image.pixel(80, 60), inks(InkTheme::Light).background.rgb());
    QVERIFY(many < one && one < 0.95);
}

void TestDensityLayer::meanColorIsSameForAnyThreadCount()
{
    const HeadMap map = test::sampleMap(20'000, 9);
    std::vector<std::uint16_t> index(180'000);
    for (std::size_t i = 0; i < index.size(); ++i)
        index[i] = static_cast<std::uint16_t>(i % 3);
    const std::array<QRgb, 3> colors = {0xff2060c0, 0xffc04020, 0xff108050};
    ScatterData data;
    data.xy = map.xy.values();
    data.index = index;
    data.colors = colors;
    const auto paint = [&](int threads) {
        QImage image(160, 120, QImage::Format_ARGB32_Premultiplied);
        ScatterCounts counts;
        MeanColorLayer().paint(image, data, DeviceTransform(ViewTransform({0, 0}, 10, {160, 120}), 1), 1, {}, threads,
                               counts);
        return image;
    };
    const QImage one = paint(1);
    for (const int threads : {2, 3, 8})
        QVERIFY(paint(threads) == one);
}

void TestDensityLayer::meanColorIsTheMeanAndPalerWhereFew()
{
    // Left fifty of one colour on fifty of another, right one alone.
    std::vector<float> xy;
    std::vector<std::uint16_t> index;
    for (int i = 0; i < 100; ++i)
    {
        xy.insert(xy.end(), {-3, 0});
        index.push_back(static_cast<std::uint16_t>(i % 2));
    }
    xy.insert(xy.end(), {3, 0});
    index.push_back(0);
    const std::array<QRgb, 2> colors = {0xff2060c0, 0xffc04020};
    ScatterData data;
    data.xy = xy;
    data.index = index;
    data.colors = colors;
    QImage image(160, 120, QImage::Format_ARGB32_Premultiplied);
    ScatterCounts counts;
    MeanColorLayer().paint(image, data, DeviceTransform(ViewTransform({0, 0}, 10, {160, 120}), 1), 1, {}, 2, counts);
    QCOMPARE(counts.drawn, std::int64_t{101});
    QCOMPARE(image.pixel(80, 60), inks(InkTheme::Light).background.rgb());
    const QColor mixed = viz::mixed(QColor(colors[0]), QColor(colors[1]), 0.5);
    // Half of the occupied pixels are thinner than the crowd, so it stands at 0.3 + 0.7 / 2.
    const QColor expected = viz::mixed(inks(InkTheme::Light).background, mixed, 0.3 + 0.7 * 0.5);
    QVERIFY(colorDistance(QColor(image.pixel(50, 60)), expected) < 0.015);
    const QColor alone = viz::mixed(inks(InkTheme::Light).background, QColor(colors[0]), 0.3);
    QVERIFY(colorDistance(QColor(image.pixel(110, 60)), alone) < 0.015);
}

HEADSCOPE_TEST_GUILESS(TestDensityLayer)
#include "tst_density_layer.moc"
