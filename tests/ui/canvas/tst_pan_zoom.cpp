// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/pan_zoom.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"

#include <QPointingDevice>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QWidget>

#include <cmath>

using namespace headscope;
using headscope::ui::PanZoom;
using headscope::viz::ViewTransform;
using Step = PanZoom::Step;

class TestPanZoom : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QWidget> m_canvas;
    std::unique_ptr<PanZoom> m_zoom;
    const ViewTransform m_whole{{0, 0}, 10, {400, 300}};
    const ViewTransform m_other{{5, 5}, 40, {400, 300}};

private Q_SLOTS:
    /// The canvas is not shown: nothing glides.
    void init()
    {
        m_canvas = std::make_unique<QWidget>();
        m_canvas->resize(400, 300);
        m_zoom = std::make_unique<PanZoom>(m_canvas.get());
        m_zoom->follow(m_whole);
    }

    void aHandEndsFollowing()
    {
        QSignalSpy moves(m_zoom.get(), &PanZoom::aboutToMove);
        QVERIFY(m_zoom->follows());
        m_zoom->follow(m_other); // grown: in place of what it followed before
        QCOMPARE(m_zoom->view(), m_other);
        QVERIFY(!m_zoom->canGoBack());
        QCOMPARE(moves.count(), 0);
        m_zoom->panBy({10, 0}, Step::Now);
        QVERIFY(!m_zoom->follows() && m_zoom->canGoBack());
        QCOMPARE(moves.count(), 1);
        m_zoom->fit(m_whole);
        QVERIFY(m_zoom->follows());
        QCOMPARE(m_zoom->view(), m_whole);
        m_zoom->restart();
        QVERIFY(m_zoom->follows() && !m_zoom->canGoBack());
    }

    void stepsOfTheHistory()
    {
        QSignalSpy changed(m_zoom.get(), &PanZoom::viewChanged);
        m_zoom->moveTo(m_other, Step::Now);
        m_zoom->goTo(m_whole.panned({7, 0}));
        QCOMPARE(changed.count(), 2);
        m_zoom->back();
        QCOMPARE(m_zoom->view(), m_other);
        m_zoom->back();
        QCOMPARE(m_zoom->view(), m_whole);
        QVERIFY(!m_zoom->canGoBack() && m_zoom->canGoForward());
        m_zoom->back(); // no farther
        QCOMPARE(m_zoom->view(), m_whole);
        m_zoom->forward();
        QCOMPARE(m_zoom->view(), m_other);
        QVERIFY(!m_zoom->follows());
        changed.clear();
        m_zoom->moveTo(m_other, Step::Now);
        QCOMPARE(changed.count(), 0);
    }

    /// A drag is one step when it ends, a burst of the wheel when it is over, or when somebody goes back before.
    void aMovementIsOneStep()
    {
        QSignalSpy history(m_zoom.get(), &PanZoom::historyChanged);
        for (int i = 0; i < 5; ++i)
            m_zoom->panBy({3, 0}, Step::Later);
        QVERIFY(!m_zoom->canGoBack());
        m_zoom->remember();
        QVERIFY(m_zoom->canGoBack());
        QCOMPARE(history.count(), 1);
        for (int i = 0; i < 5; ++i)
            m_zoom->zoomAt({200, 150}, 1.2);
        QCOMPARE(history.count(), 1);
        WAIT_COMPARE(history.count(), 2);
        m_zoom->zoomAt({200, 150}, 1.2);
        const ViewTransform near = m_zoom->view();
        m_zoom->back(); // the burst is a step at once
        QVERIFY(m_zoom->view() != near);
        m_zoom->forward();
        QCOMPARE(m_zoom->view(), near);
    }

    void historyKnowsOtherSizes()
    {
        m_zoom->moveTo(m_other, Step::Now);
        m_canvas->resize(800, 300);
        m_zoom->resize(QSizeF(800, 300));
        QCOMPARE(m_zoom->view(), m_other.resized({800, 300}));
        m_zoom->back();
        QCOMPARE(m_zoom->view().viewSize(), QSizeF(800, 300));
        QCOMPARE(m_zoom->view().centre(), m_whole.centre());
    }

    void aShownCanvasGlides()
    {
        m_canvas->show();
        QVERIFY(test::exposed(m_canvas.get()));
        m_zoom->goTo(m_other);
        if (!m_zoom->isGliding())
            QSKIP("the style wants no animations");
        QVERIFY(m_zoom->view() != m_other);
        WAIT_COMPARE(m_zoom->view(), m_other);
        m_zoom->fit(m_whole);
        m_zoom->stop();
        const ViewTransform stopped = m_zoom->view();
        test::passMs(200);
        QCOMPARE(m_zoom->view(), stopped);
    }

    void wheelsAndPadsZoomAlike()
    {
        const auto event = [](QPoint pixels, QPoint angle) {
            return QWheelEvent({}, {}, pixels, angle, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        };
        const auto notch = ui::zoomOf(event({}, {0, 120}));
        QVERIFY(notch && std::abs(*notch - 1.2114) < 1e-3);
        QCOMPARE(ui::zoomOf(event({0, 120}, {})), notch);
        const auto back = ui::zoomOf(event({}, {0, -120}));
        QVERIFY(back && std::abs(*notch * *back - 1) < 1e-12);
        QVERIFY(!ui::zoomOf(event({9, 0}, {120, 0})));
        QVERIFY(!ui::pinchOf(event({}, {0, 120})));
    }

    void aPinchHasAPlace()
    {
        const QNativeGestureEvent pinch(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, {30, 40},
                                        {30, 40}, {30, 40}, 0.25, {});
        const auto found = ui::pinchOf(pinch);
        QVERIFY(found.has_value());
        QCOMPARE(found->place, QPointF(30, 40));
        QCOMPARE(found->factor, 1.25);
        const QNativeGestureEvent swipe(Qt::SwipeNativeGesture, QPointingDevice::primaryPointingDevice(), 2, {30, 40},
                                        {30, 40}, {30, 40}, 0.25, {});
        QVERIFY(!ui::pinchOf(swipe));
    }

    void aPressWithinTheSlackIsAClick()
    {
        ui::PointerDrag drag;
        QVERIFY(!drag.starts({100, 100})); // nothing is pressed
        drag.begin({10, 10}, ui::PointerDrag::Kind::Pressed);
        QVERIFY(!drag.starts({11, 12}));
        QVERIFY(drag.starts({12, 12}));
        drag.kind = ui::PointerDrag::Kind::Pan;
        QVERIFY(!drag.starts({50, 50})); // it has
        QCOMPARE(drag.end(), ui::PointerDrag::Kind::Pan);
        QCOMPARE(drag.end(), ui::PointerDrag::Kind::None);
    }
};

HEADSCOPE_WINDOW_TEST(TestPanZoom)
#include "tst_pan_zoom.moc"
