// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/scatter_widget.h"

#include "tests/ui/window_test.h"

#include <QSignalSpy>
#include <QWheelEvent>

using namespace headscope;
using headscope::ui::ScatterWidget;

namespace
{

void wheel(ScatterWidget& widget, QPointF place, int units)
{
    QWheelEvent event(place, widget.mapToGlobal(place), {}, QPoint(0, units), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

/// Moves the pointer without the window system, which keeps its own idea of where it was.
void moveTo(ScatterWidget& widget, QPoint place)
{
    QMouseEvent event(QEvent::MouseMove, place, widget.mapToGlobal(place), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

double distance(QPointF a, QPointF b)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

} // namespace

class TestScatterWidget : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ScatterWidget> m_widget;

    [[nodiscard]] QPointF placeOf(std::int64_t point) const
    {
        const MatrixF& xy = m_widget->map()->xy;
        return m_widget->view().screenFromData(QPointF(xy(point, 0), xy(point, 1)));
    }

    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers keys = {})
    {
        QTest::mousePress(m_widget.get(), button, keys, from);
        QMouseEvent half(QEvent::MouseMove, (from + to) / 2, m_widget->mapToGlobal((from + to) / 2), Qt::NoButton,
                         button, keys);
        QApplication::sendEvent(m_widget.get(), &half);
        QMouseEvent whole(QEvent::MouseMove, to, m_widget->mapToGlobal(to), Qt::NoButton, button, keys);
        QApplication::sendEvent(m_widget.get(), &whole);
        QTest::mouseRelease(m_widget.get(), button, keys, to);
    }

private Q_SLOTS:
    void init()
    {
        m_widget = std::make_unique<ScatterWidget>();
        m_widget->resize(800, 600);
        m_widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
        const auto map = test::sampleMap();
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        m_widget->setShownHeads(allIndices(32));
        QTRY_VERIFY(m_widget->paintCount() > 0);
        QTest::qWait(200); // a fit that is animated
    }

    void cleanup() { m_widget.reset(); }

    void showsAllPointsInTheirColours()
    {
        QCOMPARE(m_widget->pointCount(), 1280);
        QCOMPARE(m_widget->shownCount(), 1280);
        const QImage picture = m_widget->grab().toImage();
        // Every head's cluster lies in view and has coloured pixels around its points.
        const viz::HeadPalette palette(8, 4);
        for (std::int64_t head = 0; head < 32; ++head)
        {
            const QPointF place = placeOf(head);
            QVERIFY(m_widget->rect().contains(place.toPoint()));
            const QColor found = picture.pixelColor(place.toPoint());
            QVERIFY2(found.saturation() > 20, qPrintable(QString::number(head)));
        }
    }

    void wheelZoomsAtThePointer()
    {
        const QPointF place(250, 180);
        const QPointF before = m_widget->view().dataFromScreen(place);
        const double scale = m_widget->view().scale();
        wheel(*m_widget, place, 120);
        QVERIFY(m_widget->view().scale() > 1.15 * scale);
        QVERIFY(distance(m_widget->view().dataFromScreen(place), before) * m_widget->view().scale() < 0.01);
        wheel(*m_widget, place, -120);
        QVERIFY(std::abs(m_widget->view().scale() / scale - 1) < 1e-9);
    }

    void aBurstOfTheWheelIsOneStep()
    {
        const double scale = m_widget->view().scale();
        for (int i = 0; i < 5; ++i)
            wheel(*m_widget, {400, 300}, 120);
        QVERIFY(!m_widget->canGoBack());
        QTRY_VERIFY(m_widget->canGoBack());
        m_widget->back();
        QTRY_VERIFY(std::abs(m_widget->view().scale() / scale - 1) < 1e-6);
        QVERIFY(!m_widget->canGoBack());
        QVERIFY(m_widget->canGoForward());
        m_widget->forward();
        QTRY_VERIFY(m_widget->view().scale() > 2 * scale);
    }

    void dragPans()
    {
        const QPointF data = m_widget->view().dataFromScreen(QPointF(400, 300));
        drag({400, 300}, {460, 340});
        QVERIFY(distance(m_widget->view().screenFromData(data), {460, 340}) < 0.01);
        drag({400, 300}, {380, 300}, Qt::MiddleButton);
        QVERIFY(distance(m_widget->view().screenFromData(data), {440, 340}) < 0.01);
        QVERIFY(m_widget->canGoBack());
    }

    void boxZoom_data()
    {
        QTest::addColumn<bool>("byTool");
        QTest::newRow("tool") << true;
        QTest::newRow("shift") << false;
    }
    void boxZoom()
    {
        QFETCH(bool, byTool);
        if (byTool)
            QTest::mouseClick(m_widget->findChild<QWidget*>(QStringLiteral("toolBox")), Qt::LeftButton);
        QCOMPARE(m_widget->tool(), byTool ? ScatterWidget::Tool::BoxZoom : ScatterWidget::Tool::Pan);
        const QPointF centre = m_widget->view().dataFromScreen(QPointF(300, 250));
        const double scale = m_widget->view().scale();
        drag({200, 150}, {400, 350}, Qt::LeftButton, byTool ? Qt::NoModifier : Qt::ShiftModifier);
        QTRY_VERIFY(m_widget->view().scale() > 2 * scale);
        QTRY_VERIFY(distance(m_widget->view().screenFromData(centre), {400, 300}) < 1);
    }

    void doubleClickFits()
    {
        const auto fitted = m_widget->view();
        wheel(*m_widget, {100, 100}, 480);
        QVERIFY(!(m_widget->view() == fitted));
        QTest::mouseDClick(m_widget.get(), Qt::LeftButton, {}, {400, 300});
        QTRY_VERIFY(std::abs(m_widget->view().scale() - fitted.scale()) < 1e-6);
    }

    void keysMoveAndZoom()
    {
        const auto fitted = m_widget->view();
        m_widget->setFocus();
        QTest::keyClick(m_widget.get(), Qt::Key_Plus);
        QVERIFY(m_widget->view().scale() > fitted.scale());
        QTest::keyClick(m_widget.get(), Qt::Key_Left);
        QVERIFY(m_widget->view().centre().x() < fitted.centre().x());
        QTest::keyClick(m_widget.get(), Qt::Key_Home);
        QTRY_VERIFY(std::abs(m_widget->view().scale() - fitted.scale()) < 1e-6);
    }

    void hoverShowsACard()
    {
        m_widget->setCardSource([](std::int64_t point) {
            ui::HoverContent content;
            content.title = QStringLiteral("Head %1").arg(point % 32 + 1);
            content.text = QStringLiteral("Some words of the document");
            return content;
        });
        QSignalSpy hovered(m_widget.get(), &ScatterWidget::documentHovered);
        moveTo(*m_widget, placeOf(5).toPoint());
        QTRY_VERIFY(m_widget->hoverCard()->isVisible());
        QVERIFY(m_widget->hoveredPoint().has_value());
        QCOMPARE(m_widget->hoverCard()->content().title, QStringLiteral("Head 6"));
        QVERIFY(m_widget->rect().contains(m_widget->hoverCard()->geometry()));
        QCOMPARE(hovered.count(), 1);
        moveTo(*m_widget, {400, 300});
        QTRY_VERIFY(!m_widget->hoverCard()->isVisible());
        QCOMPARE(hovered.count(), 2);
    }

    void clickChoosesADocument()
    {
        QSignalSpy clicked(m_widget.get(), &ScatterWidget::documentClicked);
        QSignalSpy background(m_widget.get(), &ScatterWidget::backgroundClicked);
        const std::int64_t point = 39 * 32 + 8;
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, placeOf(point).toPoint());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.at(0).at(1).toLongLong(), 8);
        m_widget->setPrimary(clicked.at(0).at(0).toLongLong(), 8);
        QCOMPARE(m_widget->markedPoints().size(), 32u);
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, {400, 300});
        QCOMPARE(background.count(), 1);
    }

    void headsThatAreNotChosenAreHidden()
    {
        m_widget->setShownHeads({0, 1});
        QCOMPARE(m_widget->shownCount(), 80);
        QTest::qWait(200);
        QSignalSpy clicked(m_widget.get(), &ScatterWidget::documentClicked);
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, placeOf(16).toPoint());
        QCOMPARE(clicked.count(), 0);
        m_widget->setShownHeads({});
        QCOMPARE(m_widget->shownCount(), 0);
        QVERIFY(!m_widget->grab().isNull());
    }

    void legendClicksAskForHeads()
    {
        QSignalSpy asked(m_widget.get(), &ScatterWidget::headsClicked);
        const QRect legend = m_widget->legendRect().toRect();
        QVERIFY(m_widget->rect().contains(legend));
        // Somewhere in the legend there are heads to click: walk over it.
        for (int y = legend.top(); y < legend.bottom() && asked.isEmpty(); y += 4)
            for (int x = legend.left(); x < legend.right() && asked.isEmpty(); x += 4)
                QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, {x, y});
        QCOMPARE(asked.count(), 1);
        m_widget->setLegendShown(false);
    }

    void labelsAreIsolatedByTheLegend()
    {
        const auto documents = test::sampleDocuments();
        m_widget->setColoring(
            viz::colorByLabel(*m_widget->map()->points, documents->labels.front(), viz::Theme::Light));
        const QRect legend = m_widget->legendRect().toRect();
        const auto dimmed = [this] {
            return std::count(m_widget->states().begin(), m_widget->states().end(), viz::PointState::Dimmed);
        };
        QCOMPARE(dimmed(), 0);
        for (int y = legend.top(); y < legend.bottom() && dimmed() == 0; y += 4)
            QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, {legend.left() + 20, y});
        QCOMPARE(dimmed(), 960);
    }

    void paintsNothingWhileIdle()
    {
        QTest::qWait(400);
        const auto before = m_widget->paintCount();
        QTest::qWait(600);
        QCOMPARE(m_widget->paintCount(), before);
    }

    void liveMapKeepsTheUsersView()
    {
        auto moved = std::make_shared<HeadMap>(*m_widget->map());
        for (float& value : moved->xy.values())
            value *= 3;
        m_widget->setMap(moved);
        const QRectF shown = m_widget->view().visibleData();
        QVERIFY(shown.width() > 55); // followed the growth
        wheel(*m_widget, {400, 300}, 240);
        const auto chosen = m_widget->view();
        auto grown = std::make_shared<HeadMap>(*moved);
        for (float& value : grown->xy.values())
            value *= 2;
        m_widget->setMap(grown);
        QCOMPARE(m_widget->view(), chosen);
    }

    void oddMaps_data()
    {
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("kind");
        QTest::newRow("none") << 0 << 0;
        QTest::newRow("one") << 1 << 0;
        QTest::newRow("two") << 2 << 0;
        QTest::newRow("all at one place") << 50 << 1;
        QTest::newRow("not numbers") << 50 << 2;
    }
    void oddMaps()
    {
        QFETCH(int, points);
        QFETCH(int, kind);
        auto map = std::make_shared<HeadMap>();
        auto ids = std::make_shared<PointIds>();
        std::vector<float> xy;
        for (int i = 0; i < points; ++i)
        {
            ids->document.push_back(i);
            ids->head.push_back(0);
            xy.push_back(kind == 2 && i % 2 == 0 ? std::nanf("") : kind == 1 ? 3.0F : float(i));
            xy.push_back(kind == 1 ? 4.0F : float(i));
        }
        map->points = ids;
        map->xy = MatrixF(points, 2, xy);
        m_widget->setMap(map);
        m_widget->setColoring(viz::colorByHead(*ids, viz::HeadPalette(8, 4), QStringLiteral("head")));
        QVERIFY(!m_widget->grab().isNull());
        moveTo(*m_widget, {400, 300});
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, {400, 300});
        wheel(*m_widget, {400, 300}, 1200);
        m_widget->fit();
        QTest::qWait(200);
        QVERIFY(!m_widget->grab().isNull());
        m_widget->setMap(nullptr);
        QVERIFY(!m_widget->grab().isNull());
    }
};

HEADSCOPE_WINDOW_TEST_MAIN(TestScatterWidget)
#include "tst_scatter_widget.moc"
