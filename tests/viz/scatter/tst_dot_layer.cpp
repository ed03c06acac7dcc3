// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/dot_layer.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <stop_token>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

namespace
{

struct Sample
{
    std::vector<float> xy;
    std::vector<std::uint16_t> index;
    std::vector<QRgb> colors = {qRgb(200, 40, 40), qRgb(40, 60, 200), qRgb(30, 150, 80)};
    std::vector<MarkerShape> shapes = {MarkerShape::Circle, MarkerShape::Square, MarkerShape::Star};

    [[nodiscard]] ScatterData data() const
    {
        ScatterData values;
        values.xy = xy;
        values.index = index;
        values.colors = colors;
        values.shapes = shapes;
        return values;
    }
};

Sample sample(int count)
{
    const CounterRandom random(8);
    Sample values;
    for (int i = 0; i < count; ++i)
    {
        const auto counter = static_cast<std::uint64_t>(3 * i);
        values.xy.push_back(static_cast<float>(3 * random.normal(counter)));
        values.xy.push_back(static_cast<float>(2 * random.normal(counter + 1)));
        values.index.push_back(static_cast<std::uint16_t>(random.below(counter + 2, 3)));
    }
    return values;
}

QImage painted(const ScatterData& data, double radius, double opacity, int threads, ScatterCounts& counts,
               ScatterStyle style = {})
{
    QImage image(200, 150, QImage::Format_ARGB32_Premultiplied);
    DotLayer layer;
    layer.paint(image, data, DeviceTransform(ViewTransform({0, 0}, 12, {200, 150}), 1), radius, opacity, style, threads,
                counts);
    return image;
}

/// Round dots on white, or on nothing, one number at a time and in the order of the points.
QImage plainly(const Sample& values, const DeviceTransform& transform, QSize size, double radius, double opacity,
               bool transparent)
{
    MarkerSprite sprite(MarkerShape::Circle, radius);
    sprite.transform([opacity](float coverage) {
        return static_cast<float>(-std::log1p(-std::min(0.995, opacity * static_cast<double>(coverage))));
    });
    std::vector<std::array<float, 4>> sums(static_cast<std::size_t>(size.width() * size.height()));
    for (std::size_t i = 0; i < values.index.size(); ++i)
    {
        // From the left and upper edge of the first dots that reach into the picture, as DotLayer rounds.
        const auto reach = static_cast<float>(sprite.reach());
        const float x = transform.x(values.xy[2 * i]) + reach;
        const float y = transform.y(values.xy[2 * i + 1]) + reach;
        const float* depth = sprite.coverage(static_cast<int>((x - std::floor(x)) * MarkerSprite::kPhases),
                                             static_cast<int>((y - std::floor(y)) * MarkerSprite::kPhases));
        const QRgb color = values.colors[values.index[i]];
        for (int pixel = 0; pixel < sprite.side() * sprite.side(); ++pixel)
        {
            const QPoint at(static_cast<int>(std::floor(x)) - 2 * sprite.reach() + pixel % sprite.side(),
                            static_cast<int>(std::floor(y)) - 2 * sprite.reach() + pixel / sprite.side());
            if (!QRect(QPoint(), size).contains(at))
                continue;
            auto& sum = sums[static_cast<std::size_t>(at.y() * size.width() + at.x())];
            sum[0] += static_cast<float>(qRed(color)) * depth[pixel];
            sum[1] += static_cast<float>(qGreen(color)) * depth[pixel];
            sum[2] += static_cast<float>(qBlue(color)) * depth[pixel];
            sum[3] += depth[pixel];
        }
    }
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(transparent ? Qt::transparent : Qt::white);
    const float below = transparent ? 0 : 255;
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x)
        {
            const auto& sum = sums[static_cast<std::size_t>(y * size.width() + x)];
            if (sum[3] <= 0)
                continue;
            const float step = std::floor(std::min(sum[3], 8.0F) * 512 + 0.5F);
            const float alpha = -std::expm1(-step * 8.0F / 4096);
            const auto over = [&](float channel) { return static_cast<int>(below + (channel - below) * alpha + 0.5F); };
            const float perDepth = 1 / sum[3];
            image.setPixel(x, y,
                           qRgba(over(sum[0] * perDepth), over(sum[1] * perDepth), over(sum[2] * perDepth), over(255)));
        }
    return image;
}

} // namespace

class TestDotLayer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameForAnyThreadCount_data();
    void sameForAnyThreadCount();
    void asksBeforeEachBlock();
    void sameAsOneNumberAtATime_data();
    void sameAsOneNumberAtATime();
    void orderDoesNotMatter();
    void loneDotHasItsCoverage();
    void bordersAndCounts();
    void transparentLayerBlends();
};

void TestDotLayer::sameForAnyThreadCount_data()
{
    QTest::addColumn<double>("radius");
    QTest::newRow("small") << 0.7;
    QTest::newRow("shapes") << 4.0;
    QTest::newRow("over several bands") << 40.0;
}

void TestDotLayer::sameForAnyThreadCount()
{
    QFETCH(double, radius);
    const Sample values = sample(40'000);
    ScatterCounts counts;
    const QImage one = painted(values.data(), radius, 0.6, 1, counts);
    for (const int threads : {2, 3, 8})
    {
        ScatterCounts again;
        QVERIFY(painted(values.data(), radius, 0.6, threads, again) == one);
        QCOMPARE(again.drawn, counts.drawn);
    }
}

/// A job that is stopped looks at no point and writes no row.
void TestDotLayer::asksBeforeEachBlock()
{
    std::stop_source stopped;
    stopped.request_stop();
    const Sample values = sample(40'000);
    QImage image(200, 150, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::green);
    const QImage before = image.copy();
    ScatterCounts counts;
    DotLayer().paint(image, values.data(), DeviceTransform(ViewTransform({0, 0}, 12, {200, 150}), 1), 1, 0.4, {}, 2,
                     counts, JobContext(stopped.get_token()));
    QCOMPARE(counts.drawn + counts.outside + counts.hidden, 0);
    QVERIFY(image == before);
}

void TestDotLayer::sameAsOneNumberAtATime_data()
{
    QTest::addColumn<int>("points");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("radius");
    QTest::newRow("one pixel") << 3 << QSize(1, 1) << 0.6;
    QTest::newRow("widths and points that fill no vector") << 4'001 << QSize(67, 33) << 0.6;
    QTest::newRow("sides of 3") << 20'002 << QSize(201, 70) << 0.8;
    QTest::newRow("sides of 4") << 20'003 << QSize(202, 95) << 1.5;
    QTest::newRow("sides of 5") << 5'000 << QSize(203, 97) << 1.9;
    QTest::newRow("wide ones") << 1'000 << QSize(130, 97) << 17.0;
}

void TestDotLayer::sameAsOneNumberAtATime()
{
    QFETCH(int, points);
    QFETCH(QSize, size);
    QFETCH(double, radius);
    const Sample values = sample(points);
    ScatterData data = values.data();
    data.shapes = {};
    const DeviceTransform transform(ViewTransform({0, 0}, 12, size), 1);
    for (const bool transparent : {false, true})
    {
        ScatterStyle style;
        style.transparent = transparent;
        QImage image(size, QImage::Format_ARGB32_Premultiplied);
        ScatterCounts counts;
        DotLayer().paint(image, data, transform, radius, 0.4, style, 2, counts);
        QVERIFY(image == plainly(values, transform, size, radius, 0.4, transparent));
        QCOMPARE(counts.drawn + counts.outside, points);
    }
}

void TestDotLayer::orderDoesNotMatter()
{
    const Sample values = sample(5'000);
    Sample reversed = values;
    std::reverse(reversed.index.begin(), reversed.index.end());
    for (std::size_t i = 0; i < values.index.size(); ++i)
    {
        reversed.xy[2 * i] = values.xy[values.xy.size() - 2 * i - 2];
        reversed.xy[2 * i + 1] = values.xy[values.xy.size() - 2 * i - 1];
    }
    ScatterCounts counts;
    const QImage a = painted(values.data(), 3, 0.7, 1, counts);
    const QImage b = painted(reversed.data(), 3, 0.7, 1, counts);
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
        {
            // Sums of floating-point numbers in another order may round the last step differently.
            QVERIFY(std::abs(qRed(a.pixel(x, y)) - qRed(b.pixel(x, y))) <= 1);
            QVERIFY(std::abs(qBlue(a.pixel(x, y)) - qBlue(b.pixel(x, y))) <= 1);
        }
}

void TestDotLayer::loneDotHasItsCoverage()
{
    Sample values;
    values.xy = {0, 0};
    values.index = {1};
    ScatterCounts counts;
    const QImage image = painted(values.data(), 2.0, 0.5, 1, counts);
    // Half opaque blue over white in the middle, white outside.
    const QRgb middle = image.pixel(100, 75);
    QVERIFY(std::abs(qRed(middle) - (255 + 40) / 2) <= 2);
    QVERIFY(std::abs(qBlue(middle) - (255 + 200) / 2) <= 2);
    QCOMPARE(image.pixel(100, 80), qRgb(255, 255, 255));
    double ink = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            ink += (255.0 - qRed(image.pixel(x, y))) / (255 - 40);
    QVERIFY2(std::abs(ink - 0.5 * M_PI * 4) < 0.3, qPrintable(QString::number(ink)));
}

void TestDotLayer::bordersAndCounts()
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Sample values;
    values.xy = {0, 0, nan, 0, 0, std::numeric_limits<float>::infinity(), 1000, 0, 0, 0, 8.4F, 6.3F};
    values.index = {0, 0, 0, 0, 0, 0};
    ScatterData data = values.data();
    const std::vector<PointState> states = {PointState::Shown, PointState::Shown,  PointState::Shown,
                                            PointState::Shown, PointState::Hidden, PointState::Dimmed};
    data.states = states;
    ScatterCounts counts;
    const QImage image = painted(data, 3, 1, 2, counts);
    QCOMPARE(counts.drawn, 2); // the middle, and one whose edge reaches into the corner
    QCOMPARE(counts.notFinite, 2);
    QCOMPARE(counts.outside, 1);
    QCOMPARE(counts.hidden, 1);
    const QRgb corner = image.pixel(199, 0);
    QVERIFY(qRed(corner) < 250 && std::abs(qRed(corner) - qBlue(corner)) < 12); // dimmed: grey
}

void TestDotLayer::transparentLayerBlends()
{
    const Sample values = sample(300);
    ScatterStyle layerStyle;
    layerStyle.transparent = true;
    ScatterCounts counts;
    QImage layer = painted(values.data(), 3, 0.7, 1, counts, layerStyle);
    const QImage direct = painted(values.data(), 3, 0.7, 1, counts);
    QCOMPARE(qAlpha(layer.pixel(0, 0)), 0);
    for (int y = 0; y < layer.height(); ++y)
        for (int x = 0; x < layer.width(); ++x)
        {
            // Premultiplied over white.
            const auto* line = reinterpret_cast<const QRgb*>(layer.constScanLine(y));
            const int over = qRed(line[x]) + 255 - qAlpha(line[x]);
            QVERIFY(std::abs(over - qRed(direct.pixel(x, y))) <= 2);
        }
}

HEADSCOPE_TEST_GUILESS(TestDotLayer)
#include "tst_dot_layer.moc"
