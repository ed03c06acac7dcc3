// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/point_layers.h"

#include <QPainter>

#include <chrono>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kRestMs = 120; ///< without movement; then the view is at rest

} // namespace

PointLayers::PointLayers(const PanZoom& zoom) : m_zoom(zoom)
{
    m_still.setSingleShot(true);
    connect(&m_still, &QTimer::timeout, this, &PointLayers::comeToRest);
}

void PointLayers::setPoints(std::shared_ptr<const PointIds> points)
{
    m_points = std::move(points);
    m_live = false;
    forgetFrames();
    m_rings.clear();
    if (m_points != nullptr && !m_ringsOf.empty())
        m_rings.set(m_ringsOf, *m_points);
}

void PointLayers::takeFrameOfRun()
{
    m_live = true;
    startMoving();
    dropPoints();
}

void PointLayers::setRings(std::vector<DocumentRing> rings)
{
    if (rings == m_ringsOf)
        return;
    m_ringsOf = std::move(rings);
    m_rings.clear();
    if (m_points != nullptr && !m_ringsOf.empty())
        m_rings.set(m_ringsOf, *m_points);
    m_ringLayer = QImage();
    Q_EMIT changed();
}

void PointLayers::startMoving()
{
    m_still.start(kRestMs);
}

void PointLayers::comeToRest()
{
    m_live = false;
    if (m_picture.isPartial() || (m_picture.isNull() && !m_runner.running()) || m_ringCounts.drawn < m_ringCounts.all)
        drop();
    Q_EMIT rested();
}

void PointLayers::drop()
{
    dropWhole();
    m_picture.drop();
    m_ringLayer = QImage();
    Q_EMIT changed();
}

void PointLayers::dropPoints()
{
    dropWhole();
    m_picture.dropPoints();
    m_ringLayer = QImage();
    Q_EMIT changed();
}

void PointLayers::forgetFrames()
{
    dropWhole();
    m_picture.forgetFrames();
    m_ringLayer = QImage();
    Q_EMIT changed();
}

void PointLayers::dropWhole()
{
    ++m_version;
    // The frames of a run follow each other faster than they may be painted: each is painted to its
    // end, or none would ever be seen.
    if (!paintsElsewhere())
        m_runner.cancel();
}

bool PointLayers::paintsElsewhere() const
{
    // Such a frame costs some milliseconds; while a run uses all cores it costs many times that.
    constexpr std::int64_t kMaxOfRun = 50'000;
    return m_live && m_zoom.follows() && isMoving() && m_points != nullptr && m_points->count() > kMaxOfRun &&
           m_picture.isInTimeOfRun();
}

void PointLayers::paint(QPainter& painter, const Frame& frame)
{
    viz::ScatterData plain = frame.points;
    plain.marked = {};
    plain.focus.reset();
    const bool elsewhere = m_picture.isNull() && paintsElsewhere() && m_picture.last().size() == frame.size * frame.dpr;
    painter.drawImage(QPointF(0, 0), elsewhere ? m_picture.last()
                                               : m_picture.image(plain, frame.style, m_zoom.view(), frame.dpr,
                                                                 frame.threads, isMoving()));
    if ((elsewhere || m_picture.wholeWanted()) && !m_runner.running())
        paintWhole(frame.dpr);
    painter.setRenderHint(QPainter::Antialiasing);
    paintRings(painter, frame);
}

void PointLayers::paintRings(QPainter& painter, const Frame& frame)
{
    if (m_rings.isEmpty())
    {
        m_ringCounts = {};
        return;
    }
    if (m_ringLayer.isNull())
    {
        m_ringLayer = QImage((QSizeF(frame.size) * frame.dpr).toSize(), QImage::Format_ARGB32_Premultiplied);
        m_ringLayer.setDevicePixelRatio(frame.dpr);
        m_ringLayer.fill(Qt::transparent);
        QPainter layer(&m_ringLayer);
        m_ringCounts = m_rings.paint(layer, frame.points, m_zoom.view(), m_picture.counts().radiusPx,
                                     isMoving() ? SetRings::kMaxMoving : SetRings::kMost);
    }
    painter.drawImage(QPointF(0, 0), m_ringLayer);
}

void PointLayers::paintWhole(double dpr)
{
    struct Whole
    {
        viz::ScatterPicture picture;
        double milliseconds = 0;
    };
    m_runner.start<Whole>(
        [shot = m_shotSource(), dpr](const JobContext& job) -> Result<Whole> {
            const auto start = std::chrono::steady_clock::now();
            viz::ScatterData plain = shot.data();
            plain.marked = {};
            plain.focus.reset();
            viz::ScatterPainter painter;
            Whole whole;
            HEADSCOPE_TRY(whole.picture, painter.paint(plain, shot.style, shot.view, dpr, shot.threads, job));
            whole.milliseconds =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
            return whole;
        },
        [this, version = m_version](Result<Whole> whole) {
            if (!whole)
                return;
            if (version == m_version)
                m_picture.putWhole(std::move(whole->picture), m_points == nullptr ? 0 : m_points->count(),
                                   whole->milliseconds);
            else
                m_picture.putLast(std::move(whole->picture.image)); // the run has gone on meanwhile
            Q_EMIT changed();
        });
}

} // namespace headscope::ui
