// SPDX-License-Identifier: GPL-3.0-or-later
// The map under the hands: wheel, drags, the picking tools, keys and the pointer.
#include "tests/ui/canvas/scatter/scatter_fixture.h"

#include <QSignalSpy>

#include <algorithm>
#include <set>

using namespace headscope;
using headscope::ui::ScatterWidget;

class TestScatterGestures : public test::ScatterFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { show(); }

    void cleanup() { m_widget.reset(); }

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
        WAIT_FOR(m_widget->canGoBack());
        m_widget->back();
        WAIT_FOR(std::abs(m_widget->view().scale() / scale - 1) < 1e-6);
        QVERIFY(!m_widget->canGoBack());
        QVERIFY(m_widget->canGoForward());
        m_widget->forward();
        WAIT_FOR(m_widget->view().scale() > 2 * scale);
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
        WAIT_FOR(m_widget->view().scale() > 2 * scale);
        WAIT_FOR(distance(m_widget->view().screenFromData(centre), {400, 300}) < 1);
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
        test::passMs(200);
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
        WAIT_FOR(std::abs(m_widget->view().scale() - fitted.scale()) < 1e-6);
    }

    void keysMoveAndZoom()
    {
        const auto fitted = m_widget->view();
        m_widget->setFocus();
        QTest::keyClick(m_widget.get(), Qt::Key_Plus);
        QVERIFY(m_widget->view().scale() > fitted.scale());
        QTest::keyClick(m_widget.get(), Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(m_widget->view().centre().x() < fitted.centre().x());
        QTest::keyClick(m_widget.get(), Qt::Key_Home);
        WAIT_FOR(std::abs(m_widget->view().scale() - fitted.scale()) < 1e-6);
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
        WAIT_FOR(m_widget->hoverCard()->isVisible());
        QVERIFY(m_widget->hoveredPoint().has_value());
        QCOMPARE(m_widget->hoverCard()->content().title, QStringLiteral("Head 6"));
        QVERIFY(m_widget->rect().contains(m_widget->hoverCard()->geometry()));
        QCOMPARE(hovered.count(), 1);
        moveTo(*m_widget, {400, 300});
        WAIT_FOR(!m_widget->hoverCard()->isVisible());
        QCOMPARE(hovered.count(), 2);
    }

    void clickChoosesADocument()
    {
        QSignalSpy clicked(m_widget.get(), &ScatterWidget::documentClicked);
        QSignalSpy background(m_widget.get(), &ScatterWidget::backgroundClicked);
        const std::int64_t point = 39 * 32 + 8;
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, placeOf(point).toPoint());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.at(0).at(1).value<HeadIndex>(), HeadIndex(8));
        m_widget->setPrimary(clicked.at(0).at(0).value<DocumentIndex>(), HeadIndex(8));
        QCOMPARE(m_widget->points().marked().size(), 32u);
        QTest::mouseClick(m_widget.get(), Qt::LeftButton, {}, {400, 300});
        QCOMPARE(background.count(), 1);
    }
};

HEADSCOPE_WINDOW_TEST(TestScatterGestures)
#include "tst_scatter_gestures.moc"
