// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/pan_zoom.h"
#include "ui/canvas/scatter/map_picture.h"
#include "ui/canvas/scatter/scatter_overlays.h"
#include "ui/canvas/scatter/set_rings.h"
#include "ui/jobs/job_runner.h"
#include "viz/scatter/scatter_painter.h"

#include <QImage>
#include <QObject>
#include <QSize>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

class QPainter;

namespace headscope::ui
{

/// The pictures of a map's points and of the rings around them, kept until something changes: marks and the card under
/// the pointer are painted much more often. Knows whether the map moves, while a large one is shown in part, and leaves
/// the whole picture of a large map, and the frames of a run, to a worker.
/// @threads GUI thread
class PointLayers : public QObject
{
    Q_OBJECT

public:
    /// What is painted and where.
    struct Frame
    {
        viz::ScatterData points; ///< marks are not looked at
        viz::ScatterStyle style;
        QSize size; ///< logical pixels
        double dpr = 1;
        int threads = 1;
    };

    /// @param zoom  the view, must outlive the object
    explicit PointLayers(const PanZoom& zoom);

    /// The same as a value of its own, for the worker.
    void setShotSource(std::function<MapSnapshot()> source) { m_shotSource = std::move(source); }
    /// Other points; null: none.
    void setPoints(std::shared_ptr<const PointIds> points);
    /// The same points at other places: the next frame of a run.
    void takeFrameOfRun();
    /// Rings around the dots of documents, whatever else colours them.
    void setRings(std::vector<DocumentRing> rings);

    /// The view moves; it counts as moving for a moment longer.
    void startMoving();
    /// Whether the view moves, or has only just come to rest.
    [[nodiscard]] bool isMoving() const { return m_still.isActive(); }

    /// The view or the style has changed: everything has to be repainted.
    void drop();
    /// The points or their states have changed.
    void dropPoints();
    /// The way of painting the points has changed; the times of earlier frames no longer count.
    void forgetFrames();

    /// Paints points and rings; leaves the painter with antialiasing on.
    void paint(QPainter& painter, const Frame& frame);

    [[nodiscard]] MapPicture& picture() { return m_picture; }
    [[nodiscard]] const MapPicture& picture() const { return m_picture; }
    [[nodiscard]] const SetRings& rings() const { return m_rings; }
    [[nodiscard]] const SetRings::Counts& ringCounts() const { return m_ringCounts; }
    [[nodiscard]] bool busy() const { return m_runner.running(); }

Q_SIGNALS:
    /// There is something new to paint.
    void changed();
    /// The view has come to rest.
    void rested();

private:
    void dropWhole();
    [[nodiscard]] bool paintsElsewhere() const;
    void paintWhole(double dpr);
    void paintRings(QPainter& painter, const Frame& frame);
    void comeToRest();

    const PanZoom& m_zoom;
    std::function<MapSnapshot()> m_shotSource;
    std::shared_ptr<const PointIds> m_points;
    bool m_live = false; ///< a run moves the points
    QTimer m_still;      ///< runs while the view moves and a moment longer
    MapPicture m_picture;
    std::uint64_t m_version = 0; ///< of what the picture shows
    std::vector<DocumentRing> m_ringsOf;
    SetRings m_rings;
    SetRings::Counts m_ringCounts;
    QImage m_ringLayer; ///< null: to be painted
    JobRunner m_runner; ///< last: its destructor waits for the worker
};

} // namespace headscope::ui
