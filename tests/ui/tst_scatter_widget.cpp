// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/scatter_widget.h"

#include "tests/ui/window_test.h"

#include <QSignalSpy>
#include <QWheelEvent>

#include <algorithm>
#include <set>

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

    void gesturesPickDocuments_data()
    {
        QTest::addColumn<Qt::Key>("tool");
        QTest::addColumn<Qt::KeyboardModifiers>("keys");
        QTest::addColumn<SetOperation>("operation");
        QTest::newRow("rectangle") << Qt::Key_R << Qt::KeyboardModifiers() << SetOperation::Replace;
        QTest::newRow("rectangle adds") << Qt::Key_R << Qt::KeyboardModifiers(Qt::ShiftModifier) << SetOperation::Add;
        QTest::newRow("brush removes") << Qt::Key_B << Qt::KeyboardModifiers(Qt::ControlModifier)
                                       << SetOperation::Remove;
        QTest::newRow("rectangle intersects")
            << Qt::Key_R << Qt::KeyboardModifiers(Qt::AltModifier) << SetOperation::Intersect;
    }
    /// What lies under the gesture, by the plain definition, is what is picked.
    void gesturesPickDocuments()
    {
        QFETCH(Qt::Key, tool);
        QFETCH(Qt::KeyboardModifiers, keys);
        QFETCH(SetOperation, operation);
        QTest::keyClick(m_widget.get(), tool);
        QSignalSpy picked(m_widget.get(), &ScatterWidget::documentsPicked);
        const QPoint from = placeOf(3).toPoint() - QPoint(30, 30);
        const QPoint to = from + QPoint(60, 60);
        drag(from, to, Qt::LeftButton, keys);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.at(0).at(1).value<SetOperation>(), operation);
        std::set<std::int64_t> expected;
        const double radius = m_widget->gesture().brushRadius();
        for (std::int64_t point = 0; point < m_widget->pointCount(); ++point)
        {
            const QPointF place = placeOf(point);
            bool inside = QRectF(from, to).contains(place);
            if (tool == Qt::Key_B)
            {
                const double along = std::clamp((place.x() - from.x() + place.y() - from.y()) / 120.0, 0.0, 1.0);
                inside = distance(place, from + along * QPointF(60, 60)) <= radius - 1;
            }
            if (inside)
                expected.insert(m_widget->map()->points->document[static_cast<std::size_t>(point)]);
        }
        QVERIFY(!expected.empty());
        const auto found = picked.at(0).at(0).value<std::vector<std::int64_t>>();
        QVERIFY(std::is_sorted(found.begin(), found.end()));
        QVERIFY(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
        if (tool == Qt::Key_R)
            QCOMPARE(found.size(), expected.size());
    }

    void lassoPicksWhatItSurrounds()
    {
        QTest::mouseClick(m_widget->findChild<QWidget*>(QStringLiteral("toolLasso")), Qt::LeftButton);
        QCOMPARE(m_widget->tool(), ScatterWidget::Tool::Lasso);
        QSignalSpy picked(m_widget.get(), &ScatterWidget::documentsPicked);
        const QPoint centre = placeOf(40).toPoint();
        QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, centre + QPoint(6, 0));
        for (const QPoint& corner : {QPoint(0, 6), QPoint(-6, 0), QPoint(0, -6)})
        {
            QMouseEvent move(QEvent::MouseMove, centre + corner, m_widget->mapToGlobal(centre + corner), Qt::NoButton,
                             Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(m_widget.get(), &move);
        }
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, centre + QPoint(0, -6));
        QCOMPARE(picked.count(), 1);
        const auto found = picked.at(0).at(0).value<std::vector<std::int64_t>>();
        QVERIFY(std::ranges::binary_search(found, m_widget->map()->points->document[40]));
        QVERIFY(found.size() < 40u);
    }

    void hiddenHeadsAreNotPickedAndEscapeDropsTheGesture()
    {
        m_widget->setShownHeads({0});
        QTest::keyClick(m_widget.get(), Qt::Key_R);
        QSignalSpy picked(m_widget.get(), &ScatterWidget::documentsPicked);
        QTest::qWait(200);
        const QPoint hidden = placeOf(16).toPoint(); // a cluster of head 16 alone
        drag(hidden - QPoint(8, 8), hidden + QPoint(8, 8));
        QCOMPARE(picked.count(), 1);
        QVERIFY(picked.at(0).at(0).value<std::vector<std::int64_t>>().empty());
        QTest::mousePress(m_widget.get(), Qt::LeftButton, {}, {100, 100});
        QMouseEvent move(QEvent::MouseMove, QPointF(300, 300), m_widget->mapToGlobal(QPointF(300, 300)), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_widget.get(), &move);
        QTest::keyClick(m_widget.get(), Qt::Key_Escape);
        QVERIFY(!m_widget->gesture().active());
        QTest::mouseRelease(m_widget.get(), Qt::LeftButton, {}, {300, 300});
        QCOMPARE(picked.count(), 1);
    }

    void otherDocumentsTurnPaleAndTheChosenCanFillTheView()
    {
        m_widget->setChosen({2, 5});
        QCOMPARE(m_widget->chosenCount(), 64);
        QCOMPARE(m_widget->shownCount(), 1280);
        const auto& documents = m_widget->map()->points->document;
        for (std::size_t point = 0; point < documents.size(); ++point)
            QCOMPARE(m_widget->states()[point],
                     documents[point] == 2 || documents[point] == 5 ? viz::PointState::Shown : viz::PointState::Dimmed);
        m_widget->setShownHeads({4});
        QCOMPARE(m_widget->chosenCount(), 2);
        const double scale = m_widget->view().scale();
        QTest::keyClick(m_widget.get(), Qt::Key_F);
        QTRY_VERIFY(m_widget->view().scale() > scale);
        m_widget->setChosen({});
        QCOMPARE(m_widget->chosenCount(), 0);
        QVERIFY(std::ranges::count(m_widget->states(), viz::PointState::Dimmed) == 0);
    }

    void brushSizeFollowsTheWheel()
    {
        QTest::keyClick(m_widget.get(), Qt::Key_B);
        const double before = m_widget->gesture().brushRadius();
        const double scale = m_widget->view().scale();
        wheel(*m_widget, {400, 300}, 240);
        QVERIFY(m_widget->gesture().brushRadius() > before);
        QCOMPARE(m_widget->view().scale(), scale);
        wheel(*m_widget, {400, 300}, 120'000);
        QCOMPARE(m_widget->gesture().brushRadius(), ui::SelectionGesture::kLargestBrushPx);
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
