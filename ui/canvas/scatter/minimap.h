// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/scatter/map_picture.h"
#include "viz/geometry/view_transform.h"
#include "viz/scatter/point_prefix.h"
#include "viz/scatter/scatter_painter.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <optional>

namespace headscope::ui
{

/// The whole map in a corner, with a frame around what the view shows. A click brings that place to
/// the middle of the view; dragging the frame drags the view. Arrow keys move the view by half of
/// what it shows.
class Minimap : public QWidget
{
    Q_OBJECT

public:
    static constexpr QSize kSize{168, 126};

    explicit Minimap(QWidget* parent);

    /// Where the points come from when the picture has to be painted. So small a picture is painted here, because a
    /// worker would take the cores from the frames of a view that moves: of a map of more points than setMostAtOnce(),
    /// a part, in an event of its own, which does not make the frame of the view longer.
    void setSource(std::function<viz::ScatterData()> source) { m_source = std::move(source); }
    void setMostAtOnce(std::int64_t points) { m_mostAtOnce = points; }
    void setThreads(int threads) { m_threads = threads; }
    /// Whether the picture is still to be painted, in an event of its own.
    [[nodiscard]] bool busy() const { return m_soon.isActive(); }
    /// The map's extent in data units; nothing = there is no map.
    void setBounds(const std::optional<QRectF>& bounds);
    /// The points, their colours or their states have changed.
    void dropPicture();
    /// The points have moved; the picture is painted again when the view rests.
    void markStale() { m_stale = true; }
    void refresh();
    /// What the view shows, in data units.
    void setView(const viz::ViewTransform& view);

    /// Whether the view leaves a part of the map out, so that an overview helps.
    [[nodiscard]] bool isNeeded() const;
    /// The frame of the view, in pixels of this widget.
    [[nodiscard]] QRectF frame() const;
    [[nodiscard]] const viz::ViewTransform& transform() const { return m_transform; }
    [[nodiscard]] std::int64_t paintCount() const { return m_paints; }
    /// How many points the picture was painted from; 0 before the first.
    [[nodiscard]] std::int64_t drawnPoints() const { return m_drawn; }

Q_SIGNALS:
    /// The view is to be centred on this place.
    void centreRequested(QPointF data);
    /// The frame was released: a step of the history.
    void moved();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void paintPicture(viz::ScatterData points);
    void paintSoon();

    std::function<viz::ScatterData()> m_source;
    std::int64_t m_mostAtOnce = MapPicture::kMaxAtOnce;
    bool m_pictureWanted = true; ///< none of what is shown now has been asked for
    QTimer m_soon;
    std::optional<QRectF> m_bounds;
    viz::ViewTransform m_transform; ///< of the whole map in this widget
    viz::ViewTransform m_view;
    viz::ScatterPainter m_painter;
    QImage m_picture;
    std::int64_t m_drawn = 0;
    bool m_stale = false;
    int m_threads = 1;
    std::optional<QPointF> m_grab; ///< from the pointer to the frame's middle, while dragged
    std::int64_t m_paints = 0;
};

} // namespace headscope::ui
