// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/scatter/marker.h"

#include <QPolygonF>
#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope::viz;

class TestMarker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allShapesCoverTheSameArea_data();
    void allShapesCoverTheSameArea();
    void spritesHoldTheWholeMarker();
    void numbersGoAround();
};

void TestMarker::allShapesCoverTheSameArea_data()
{
    QTest::addColumn<int>("shape");
    QTest::addColumn<double>("radius");
    for (int shape = 0; shape < kMarkerShapes; ++shape)
        for (const double radius : {0.6, 1.3, 3.0, 7.5})
            QTest::addRow("shape %d radius %g", shape, radius) << shape << radius;
}

void TestMarker::allShapesCoverTheSameArea()
{
    QFETCH(int, shape);
    QFETCH(double, radius);
    const MarkerSprite sprite(markerShape(shape), radius);
    const double area = M_PI * radius * radius;
    const int pixels = sprite.side() * sprite.side();
    for (int phase = 0; phase < MarkerSprite::kPhases * MarkerSprite::kPhases; ++phase)
    {
        const float* coverage = sprite.coverage(phase % MarkerSprite::kPhases, phase / MarkerSprite::kPhases);
        const double sum = std::accumulate(coverage, coverage + pixels, 0.0);
        QVERIFY2(std::abs(sum - area) < 0.04 * area + 0.08, qPrintable(QStringLiteral("%1 %2").arg(sum).arg(area)));
    }
    double outline = 0;
    const double large = 100; // Qt flattens curves to parts of a unit
    const QPolygonF polygon = markerPath(markerShape(shape), large).toFillPolygon();
    for (qsizetype i = 0; i + 1 < polygon.size(); ++i)
        outline += polygon[i].x() * polygon[i + 1].y() - polygon[i].y() * polygon[i + 1].x();
    QVERIFY(std::abs(std::abs(outline) / 2 - M_PI * large * large) < 0.005 * M_PI * large * large);
}

void TestMarker::spritesHoldTheWholeMarker()
{
    // One pixel further out nothing would be covered: the border of the next larger square is empty.
    for (int shape = 0; shape < kMarkerShapes; ++shape)
    {
        const MarkerSprite sprite(markerShape(shape), 2.5);
        const QRectF box = markerPath(markerShape(shape), 2.5).boundingRect();
        QVERIFY(sprite.reach() + 0.125 >= std::max({-box.left(), box.right(), -box.top(), box.bottom()}) - 1e-6);
        QVERIFY(sprite.reach() <= 5);
    }
}

void TestMarker::numbersGoAround()
{
    QCOMPARE(markerShape(0), MarkerShape::Circle);
    QCOMPARE(markerShape(8), MarkerShape::Circle);
    QCOMPARE(markerShape(11), MarkerShape::Diamond);
    QCOMPARE(markerShape(-1), MarkerShape::Star);
}

HEADSCOPE_TEST_GUILESS(TestMarker)
#include "tst_marker.moc"
