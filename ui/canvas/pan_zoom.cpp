// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/pan_zoom.h"

#include <QNativeGestureEvent>
#include <QStyle>
#include <QWheelEvent>
#include <QWidget>

#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr int kGlideMs = 150;
constexpr int kSettleMs = 300;
/// One notch of a wheel has 120 units.
constexpr double kZoomPerWheelUnit = 1.0016;

} // namespace

std::optional<double> zoomOf(const QWheelEvent& event)
{
    // Pads send pixels, wheels angles; both move the same distance for the same finger.
    const double units = event.angleDelta().y() != 0 ? event.angleDelta().y() : event.pixelDelta().y();
    if (units == 0)
        return std::nullopt;
    return std::pow(kZoomPerWheelUnit, units);
}

std::optional<Pinch> pinchOf(const QEvent& event)
{
    if (event.type() != QEvent::NativeGesture)
        return std::nullopt;
    const auto& gesture = static_cast<const QNativeGestureEvent&>(event);
    if (gesture.gestureType() != Qt::ZoomNativeGesture)
        return std::nullopt;
    return Pinch{gesture.position(), 1 + gesture.value()};
}

ViewGlide::ViewGlide(QWidget* canvas) : m_canvas(canvas)
{
    setStartValue(0.0);
    setEndValue(1.0);
    setDuration(kGlideMs);
    setEasingCurve(QEasingCurve::OutCubic);
}

bool ViewGlide::isWanted() const
{
    return m_canvas->isVisible() &&
           m_canvas->style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, m_canvas) > 0;
}

PanZoom::PanZoom(QWidget* canvas) : m_canvas(canvas), m_glide(canvas)
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &PanZoom::remember);
    connect(&m_glide, &QVariantAnimation::valueChanged, this,
            [this](const QVariant& value) { apply(m_from.towards(m_to, value.toDouble())); });
    connect(&m_glide, &QVariantAnimation::finished, this, [this] { apply(m_to); });
}

void PanZoom::apply(const viz::ViewTransform& view)
{
    if (view == m_view)
        return;
    m_view = view;
    Q_EMIT viewChanged();
}

void PanZoom::restart()
{
    m_glide.stop();
    m_history.clear();
    m_follows = true;
}

void PanZoom::follow(const viz::ViewTransform& view)
{
    m_glide.stop();
    apply(view);
    m_history.replace(m_view);
    Q_EMIT historyChanged();
}

void PanZoom::glideTo(const viz::ViewTransform& view)
{
    m_glide.stop();
    if (!m_glide.isWanted() || m_view.viewSize().isEmpty())
        return apply(view);
    m_from = m_view;
    m_to = view;
    m_glide.start();
}

void PanZoom::fit(const viz::ViewTransform& view)
{
    m_follows = true;
    m_history.push(view);
    Q_EMIT historyChanged();
    glideTo(view);
}

void PanZoom::resize(QSizeF canvas)
{
    if (!m_view.viewSize().isEmpty())
        apply(m_view.resized(canvas));
}

void PanZoom::takeOver()
{
    m_glide.stop();
    m_follows = false;
    Q_EMIT aboutToMove();
}

void PanZoom::moveTo(const viz::ViewTransform& view, Step step)
{
    takeOver();
    apply(view);
    if (step == Step::Now)
        remember();
    else if (step == Step::Soon)
        m_settle.start();
}

void PanZoom::goTo(const viz::ViewTransform& view)
{
    takeOver();
    m_history.push(view);
    Q_EMIT historyChanged();
    glideTo(view);
}

void PanZoom::remember()
{
    m_history.push(m_view);
    Q_EMIT historyChanged();
}

void PanZoom::back()
{
    if (m_settle.isActive())
    {
        m_settle.stop();
        remember();
    }
    goAlong(m_history.back());
}

void PanZoom::forward()
{
    goAlong(m_history.forward());
}

void PanZoom::goAlong(const std::optional<viz::ViewTransform>& view)
{
    if (!view)
        return;
    m_follows = false;
    const QSizeF size(m_canvas->size());
    glideTo(view->viewSize() == size ? *view : view->resized(size));
    Q_EMIT historyChanged();
}

} // namespace headscope::ui
