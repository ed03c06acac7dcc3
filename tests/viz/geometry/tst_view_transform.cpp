// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/geometry/view_transform.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

using namespace headscope::viz;

namespace
{

bool near(QPointF a, QPointF b, double tolerance = 1e-9)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y()) <= tolerance;
}

} // namespace

class TestViewTransform : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fit_data();
    void fit();
    void roundTrip();
    void zoomKeepsThePlace();
    void panMovesByPixels();
    void boxZoom();
    void resizeKeepsTheCentre();
    void animation();
    void bounds();
};

void TestViewTransform::fit_data()
{
    QTest::addColumn<QRectF>("data");
    QTest::addColumn<QSizeF>("view");
    QTest::addColumn<double>("scale");
    QTest::newRow("wide") << QRectF(-10, -1, 20, 2) << QSizeF(440, 400) << 20.0;
    QTest::newRow("tall") << QRectF(-1, -10, 2, 20) << QSizeF(440, 420) << 19.0;
    QTest::newRow("flipped") << QRectF(10, 1, -20, -2) << QSizeF(440, 400) << 20.0;
    QTest::newRow("line") << QRectF(0, 5, 10, 0) << QSizeF(240, 100) << 20.0;
    QTest::newRow("point") << QRectF(3, 4, 0, 0) << QSizeF(240, 140) << 100.0;
    QTest::newRow("tiny view") << QRectF(0, 0, 1, 1) << QSizeF(10, 10) << 1.0;
}

void TestViewTransform::fit()
{
    QFETCH(QRectF, data);
    QFETCH(QSizeF, view);
    QFETCH(double, scale);
    const ViewTransform transform = ViewTransform::fit(data, view, 20);
    QCOMPARE(transform.scale(), scale);
    QVERIFY(near(transform.screenFromData(data.normalized().center()), {view.width() / 2, view.height() / 2}));
}

void TestViewTransform::roundTrip()
{
    const ViewTransform transform({3, -7}, 12.5, {800, 600});
    for (const QPointF pixel : {QPointF(0, 0), QPointF(800, 600), QPointF(123.4, 567.8)})
        QVERIFY(near(transform.screenFromData(transform.dataFromScreen(pixel)), pixel));
    // Data y points up.
    QVERIFY(transform.screenFromData({3, 0}).y() < transform.screenFromData({3, -7}).y());
    const QRectF visible = transform.visibleData();
    QCOMPARE(visible.width(), 64.0);
    QCOMPARE(visible.height(), 48.0);
    QVERIFY(near(visible.center(), {3, -7}));
}

void TestViewTransform::zoomKeepsThePlace()
{
    const ViewTransform transform({1, 2}, 10, {400, 300});
    for (const double factor : {1.25, 0.5, 8.0, 1e-30, 1e30})
    {
        const QPointF pixel(37, 251);
        const ViewTransform zoomed = transform.zoomedAt(pixel, factor);
        QVERIFY(near(zoomed.screenFromData(transform.dataFromScreen(pixel)), pixel, 1e-4));
        QVERIFY(zoomed.scale() >= 1e-9 && zoomed.scale() <= 1e9);
    }
    QVERIFY(near(transform.zoomedAt({10, 20}, 3).zoomedAt({10, 20}, 1.0 / 3).centre(), {1, 2}));
}

void TestViewTransform::panMovesByPixels()
{
    const ViewTransform transform({1, 2}, 10, {400, 300});
    const QPointF before = transform.screenFromData({0, 0});
    QVERIFY(near(transform.panned({15, -9}).screenFromData({0, 0}), before + QPointF(15, -9)));
}

void TestViewTransform::boxZoom()
{
    const ViewTransform transform({0, 0}, 10, {400, 300});
    const QRectF box(100, 100, 100, 75);
    const ViewTransform zoomed = transform.zoomedTo(box);
    QCOMPARE(zoomed.scale(), 40.0);
    QVERIFY(near(zoomed.screenFromData(transform.dataFromScreen(box.topLeft())), {0, 0}));
    QVERIFY(near(zoomed.screenFromData(transform.dataFromScreen(box.bottomRight())), {400, 300}));
    QCOMPARE(transform.zoomedTo(QRectF(200, 175, -100, -75)).scale(), 40.0); // drawn from the other corner
    QCOMPARE(transform.zoomedTo(QRectF(10, 10, 2, 50)), transform);
}

void TestViewTransform::resizeKeepsTheCentre()
{
    const ViewTransform transform({5, 6}, 10, {400, 300});
    const ViewTransform larger = transform.resized({900, 600});
    QVERIFY(near(larger.screenFromData({5, 6}), {450, 300}));
    QCOMPARE(larger.scale(), 20.0);
    QCOMPARE(transform.resized({0, 0}).scale(), 10.0);
}

void TestViewTransform::animation()
{
    const ViewTransform from({0, 0}, 10, {400, 300});
    const ViewTransform to({8, 4}, 160, {400, 300});
    QCOMPARE(from.towards(to, 1), to);
    QVERIFY(near(from.towards(to, 0).centre(), {0, 0}));
    QCOMPARE(from.towards(to, 0.5).scale(), 40.0);
    // On the way in, the goal's place on the screen moves straight towards the middle.
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 10; ++i)
    {
        const QPointF place = from.towards(to, i / 10.0).screenFromData({8, 4}) - QPointF(200, 150);
        const double distance = std::hypot(place.x(), place.y());
        QVERIFY(distance <= last + 1e-9);
        last = distance;
    }
    const ViewTransform pan({8, 4}, 10, {400, 300});
    QVERIFY(near(from.towards(pan, 0.5).centre(), {4, 2}));
}

void TestViewTransform::bounds()
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> places = {1, 2, nan, 2, 3, std::numeric_limits<float>::infinity(), nan, nan, 4, 5};
    QCOMPARE(countNotFinite(places), 3);
    QCOMPARE(countNotFinite({}), 0);
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInf = std::numeric_limits<float>::infinity();
    QVERIFY(!dataBounds({}).has_value());
    const std::vector<float> bad = {kNan, 0, 0, kInf};
    QVERIFY(!dataBounds(bad).has_value());
    const std::vector<float> points = {1, 2, kNan, 99, -3, 8, 4, -1};
    QCOMPARE(*dataBounds(points), QRectF(QPointF(-3, -1), QPointF(4, 8)));
    const std::vector<float> one = {2, 3};
    QCOMPARE(dataBounds(one)->width(), 0.0);
}

HEADSCOPE_TEST_GUILESS(TestViewTransform)
#include "tst_view_transform.moc"
