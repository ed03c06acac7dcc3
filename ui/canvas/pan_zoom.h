// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/geometry/view_transform.h"
#include "viz/geometry/zoom_stack.h"

#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <QTimer>
#include <QVariantAnimation>

#include <optional>
#include <utility>

class QEvent;
class QWheelEvent;
class QWidget;

namespace headscope::ui
{

/// One press of a zoom key.
inline constexpr double kKeyZoom = 1.25;
/// A pointer that moved no farther, in pixels as manhattanLength() has them, has clicked and not dragged.
inline constexpr int kClickSlackPx = 3;

/// By how much a wheel zooms in (above 1) or out: a notch by about a fifth. Nothing for an event that moves sideways.
[[nodiscard]] std::optional<double> zoomOf(const QWheelEvent& event);
/// A pinch on a touch pad.
struct Pinch
{
    QPointF place;
    double factor = 1;
};
/// Nothing for any other event.
[[nodiscard]] std::optional<Pinch> pinchOf(const QEvent& event);

/// A press of the pointer, until it is released: a click while it stays within the slack, else one of the drags.
struct PointerDrag
{
    enum class Kind
    {
        None, ///< nothing is pressed
        Pressed,
        Pan,
        Box,  ///< a rectangle to zoom into
        Pick, ///< a gesture that chooses
    };
    Kind kind = Kind::None;
    QPointF press; ///< where it began
    QPointF last;  ///< where the pointer was last, pressed or not

    void begin(QPointF place, Kind as)
    {
        press = last = place;
        kind = as;
    }
    /// Ends it; what it was.
    Kind end() { return std::exchange(kind, Kind::None); }
    /// Whether a press has just become more than a click.
    [[nodiscard]] bool starts(QPointF place) const
    {
        return kind == Kind::Pressed && (place - press).manhattanLength() > kClickSlackPx;
    }
};

/// The clock of a view that glides to another: 0 to 1 in 150 ms, fast at first.
class ViewGlide : public QVariantAnimation
{
public:
    explicit ViewGlide(QWidget* canvas);
    /// Whether to glide at all: not where the canvas is hidden or the style wants no animations.
    [[nodiscard]] bool isWanted() const;
    [[nodiscard]] bool isRunning() const { return state() == QAbstractAnimation::Running; }

private:
    QWidget* m_canvas;
};

/// The view of a canvas that is panned and zoomed: where it is, how it glides, and the history of where it was.
///
/// The view follows what it shows (fitted to it as it grows) until the user moves it. All sizes are of the canvas, in
/// logical pixels. One object a canvas; it paints nothing and takes no events by itself.
/// @threads GUI thread
class PanZoom : public QObject
{
    Q_OBJECT

public:
    /// When a view that the user has moved becomes a step of the history.
    enum class Step
    {
        Now,
        Soon, ///< after a short pause without further moves: a burst of the wheel is one step
        Later ///< by remember(), at the end of a drag
    };

    explicit PanZoom(QWidget* canvas);

    [[nodiscard]] const viz::ViewTransform& view() const { return m_view; }
    [[nodiscard]] bool follows() const { return m_follows; }
    [[nodiscard]] bool isGliding() const { return m_glide.isRunning(); }
    [[nodiscard]] bool canGoBack() const { return m_history.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_history.canGoForward(); }

    /// Something else is shown: no history, and the view follows again.
    void restart();
    /// Stops gliding.
    void stop() { m_glide.stop(); }

    // Moves by the program.
    /// What it follows has grown: jumps there, and replaces the current step of the history.
    void follow(const viz::ViewTransform& view);
    /// Glides there without a step.
    void glideTo(const viz::ViewTransform& view);
    /// Glides there as a step, and follows from now on.
    void fit(const viz::ViewTransform& view);
    /// The canvas has another size; a view that does not follow keeps its centre.
    void resize(QSizeF canvas);

    // Moves by the user: the view stops following.
    void moveTo(const viz::ViewTransform& view, Step step);
    /// Glides there as a step.
    void goTo(const viz::ViewTransform& view);
    void zoomAt(QPointF place, double factor) { moveTo(m_view.zoomedAt(place, factor), Step::Soon); }
    void panBy(QPointF pixels, Step step) { moveTo(m_view.panned(pixels), step); }
    void remember();
    void back();
    void forward();

Q_SIGNALS:
    void viewChanged();
    /// canGoBack() or canGoForward() may have changed.
    void historyChanged();
    /// Before the user moves the view.
    void aboutToMove();

private:
    void apply(const viz::ViewTransform& view);
    void goAlong(const std::optional<viz::ViewTransform>& view);
    void takeOver();

    QWidget* m_canvas;
    viz::ViewTransform m_view;
    viz::ZoomStack m_history;
    bool m_follows = true;
    ViewGlide m_glide;
    viz::ViewTransform m_from;
    viz::ViewTransform m_to;
    QTimer m_settle;
};

} // namespace headscope::ui
