// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/map_picture.h"

#include "tests/ui/window_test.h"

using namespace headscope;
using headscope::ui::MapPicture;

class TestMapPicture : public QObject
{
    Q_OBJECT

private:
    std::shared_ptr<const HeadMap> m_map;

    [[nodiscard]] viz::ScatterData data() const
    {
        static constexpr QRgb kColor = 0xff2060c0;
        viz::ScatterData points;
        points.xy = m_map->xy.values();
        points.colors = std::span(&kColor, 1);
        return points;
    }

    void paint(MapPicture& picture, bool moving) const
    {
        const viz::ViewTransform view({0, 0}, 12, {400, 300});
        QVERIFY(!picture.image(data(), {}, view, 1, 2, moving).isNull());
    }

private Q_SLOTS:
    void init() { m_map = test::sampleMap(2000); } // 64,000 points

    void theFirstFrameIsWhole()
    {
        MapPicture picture;
        picture.setFrameBudget(1e-9);
        paint(picture, true); // nothing is known of its cost yet
        QVERIFY(!picture.isPartial());
        QCOMPARE(picture.drawnPoints(), 64'000);
        QVERIFY(picture.expectedMs() > 0);
    }

    void aPartIffTooSlowAndMoving_data()
    {
        QTest::addColumn<double>("budget");
        QTest::addColumn<bool>("moving");
        QTest::addColumn<bool>("part");
        QTest::newRow("slow, moving") << 1e-6 << true << true;
        QTest::newRow("slow, still") << 1e-6 << false << false;
        QTest::newRow("in time, moving") << 1e6 << true << false;
        QTest::newRow("in time, still") << 1e6 << false << false;
    }
    void aPartIffTooSlowAndMoving()
    {
        QFETCH(double, budget);
        QFETCH(bool, moving);
        QFETCH(bool, part);
        MapPicture picture;
        paint(picture, false);
        picture.setFrameBudget(budget);
        picture.drop();
        paint(picture, moving);
        QCOMPARE(picture.isPartial(), part);
        QCOMPARE(picture.drawnPoints() < 64'000, part);
        QVERIFY(picture.drawnPoints() >= MapPicture::kLeastPoints);
    }

    /// Two moving frames may follow each other within the 33 ms of a pause; parts are aimed at 0.6 of a frame's budget.
    void aMovingFrameHasItsBudget()
    {
        static_assert(2 * MapPicture::kFrameBudgetMs <= 33);
        MapPicture picture;
        viz::ScatterPainter painter;
        const viz::ViewTransform view({0, 0}, 12, {400, 300});
        for (int frame = 0; frame < 3; ++frame)
            picture.putWhole(painter.paint(data(), {}, view, 1, 2), 64'000, 20);
        picture.drop();
        paint(picture, true);
        QCOMPARE(picture.drawnPoints(), 30'000); // 64,000 take 20 ms
    }

    void aPartIsReplacedAtRest()
    {
        MapPicture picture;
        paint(picture, false);
        picture.setFrameBudget(1e-6);
        picture.drop();
        paint(picture, true);
        QVERIFY(picture.isPartial());
        paint(picture, false); // not dropped, and painted anew all the same
        QVERIFY(!picture.isPartial());
    }

    /// No frame of all points is dared here before it is known to be quick.
    void aLargeMapBeginsWithAPart()
    {
        MapPicture picture;
        picture.setMostAtOnce(30'000);
        picture.setFrameBudget(1e-6);
        paint(picture, false);
        QVERIFY(picture.isPartial());
        QVERIFY(picture.wholeWanted());
        QVERIFY(picture.drawnPoints() <= 32'000);
        const viz::ViewTransform view({0, 0}, 12, {400, 300});
        viz::ScatterPainter painter;
        const auto whole = painter.paint(data(), {}, view, 1, 2);
        for (int frame = 0; frame < 3; ++frame) // what the last three took counts
            picture.putWhole(painter.paint(data(), {}, view, 1, 2), 64'000, 1000);
        QVERIFY(!picture.wholeWanted());
        QVERIFY(!picture.isPartial());
        QCOMPARE(picture.image(data(), {}, view, 1, 2, false), whole.image);
        // What is slow stays elsewhere; what is quick comes back.
        picture.drop();
        QCOMPARE(picture.last(), whole.image);
        paint(picture, false);
        QVERIFY(picture.wholeWanted());
        picture.setFrameBudget(1e6);
        picture.drop();
        paint(picture, false);
        QVERIFY(!picture.wholeWanted());
    }

    void smallMapsAreAlwaysWhole()
    {
        m_map = test::sampleMap(100);
        MapPicture picture;
        paint(picture, false);
        picture.setFrameBudget(1e-9);
        picture.drop();
        paint(picture, true);
        QVERIFY(!picture.isPartial());
    }

    /// A part is taken from the points as they are now.
    void otherPointsGiveAnotherPart()
    {
        MapPicture picture;
        paint(picture, false);
        picture.setFrameBudget(1e-6);
        picture.drop();
        paint(picture, true);
        const viz::ViewTransform view({0, 0}, 12, {400, 300});
        const QImage before = picture.image(data(), {}, view, 1, 2, true);
        auto moved = std::make_shared<HeadMap>(*m_map);
        for (float& value : moved->xy.values())
            value = -value;
        m_map = moved;
        picture.dropPoints();
        QVERIFY(picture.image(data(), {}, view, 1, 2, true) != before);
    }
};

HEADSCOPE_WINDOW_TEST(TestMapPicture)
#include "tst_map_picture.moc"
