// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/minimap.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kMargin = 8;
/// A view that leaves out less than this share of the map's sides shows the whole map.
constexpr double kSlack = 0.02;
constexpr double kMinFrame = 6; ///< pixels, so that a deep zoom can still be seen and dragged

} // namespace

Minimap::Minimap(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("Overview of the whole map"));
    setCanvasSummary(this, [this] { return accessibleDescription(); });
    setToolTip(tr("The whole map. Click or drag to move the view."));
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    resize(kSize);
    hide();
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &Minimap::paintSoon);
}

void Minimap::setBounds(const std::optional<QRectF>& bounds)
{
    if (bounds == m_bounds)
        return;
    m_bounds = bounds;
    m_transform = viz::ViewTransform::fit(bounds.value_or(QRectF()), QSizeF(kSize), kMargin);
    dropPicture();
}

void Minimap::dropPicture()
{
    m_pictureWanted = true;
    m_stale = false;
    update();
}

void Minimap::paintSoon()
{
    if (!m_pictureWanted || !m_source)
        return;
    paintPicture(m_source());
    update();
}

void Minimap::paintPicture(viz::ScatterData points)
{
    m_pictureWanted = false;
    viz::ScatterStyle style;
    style.theme = Theme::instance().vizTheme();
    style.transparent = true;
    const auto count = static_cast<std::int64_t>(points.xy.size() / 2);
    viz::PointPrefix part;
    if (count > m_mostAtOnce)
    {
        part.take(points, viz::PointPrefix::roundsOf(count, std::min(m_mostAtOnce, MapPicture::kFirstPart)), m_threads);
        style = part.styleOf(style, m_transform);
        points = part.data();
    }
    viz::ScatterPicture picture = m_painter.paint(points, style, m_transform, devicePixelRatioF(), m_threads);
    m_picture = std::move(picture.image);
    m_drawn = picture.counts.points;
}

void Minimap::refresh()
{
    if (m_stale)
        dropPicture();
}

void Minimap::setView(const viz::ViewTransform& view)
{
    if (view == m_view)
        return;
    m_view = view;
    update();
}

bool Minimap::isNeeded() const
{
    if (!m_bounds || m_view.viewSize().isEmpty())
        return false;
    const QRectF shown = m_view.visibleData();
    const double slackX = kSlack * std::max(m_bounds->width(), shown.width());
    const double slackY = kSlack * std::max(m_bounds->height(), shown.height());
    return m_bounds->left() < shown.left() - slackX || m_bounds->right() > shown.right() + slackX ||
           m_bounds->top() < shown.top() - slackY || m_bounds->bottom() > shown.bottom() + slackY;
}

QRectF Minimap::frame() const
{
    const QRectF shown = m_view.visibleData();
    QRectF frame = QRectF(m_transform.screenFromData(shown.topLeft()), m_transform.screenFromData(shown.bottomRight()))
                       .normalized();
    const QPointF centre = frame.center();
    frame.setSize(frame.size().expandedTo(QSizeF(kMinFrame, kMinFrame)));
    frame.moveCenter(centre);
    return frame;
}

void Minimap::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    ++m_paints;
    const Colors& colors = Theme::instance().colors();
    if (m_pictureWanted && m_source)
    {
        if (const viz::ScatterData points = m_source(); std::ssize(points.xy) / 2 > m_mostAtOnce)
            m_soon.start();
        else
            paintPicture(points);
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath outline;
    outline.addRoundedRect(card, Metrics::kRadius, Metrics::kRadius);
    painter.fillPath(outline, colors.canvas);
    painter.setClipPath(outline);
    painter.drawImage(QPointF(0, 0), m_picture);
    // What lies outside the view is veiled.
    QPainterPath outside = outline;
    QPainterPath inside;
    inside.addRect(frame());
    QColor veil = colors.canvas;
    veil.setAlpha(150);
    painter.fillPath(outside.subtracted(inside), veil);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame());
    painter.setClipping(false);
    painter.setPen(QPen(hasFocus() ? colors.accent : colors.hairline, 1));
    painter.drawPath(outline);
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    event->accept(); // the canvas below has nothing to do with it
    if (event->button() != Qt::LeftButton)
        return;
    const QRectF view = frame();
    m_grab = view.contains(event->position()) ? view.center() - event->position() : QPointF();
    Q_EMIT centreRequested(m_transform.dataFromScreen(event->position() + *m_grab));
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if (m_grab)
        Q_EMIT centreRequested(m_transform.dataFromScreen(event->position() + *m_grab));
}

void Minimap::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && std::exchange(m_grab, {}))
        Q_EMIT moved();
}

void Minimap::keyPressEvent(QKeyEvent* event)
{
    const QRectF shown = m_view.visibleData();
    QPointF step;
    switch (event->key())
    {
    case Qt::Key_Left:
        step = {-shown.width() / 2, 0};
        break;
    case Qt::Key_Right:
        step = {shown.width() / 2, 0};
        break;
    case Qt::Key_Up:
        step = {0, shown.height() / 2};
        break;
    case Qt::Key_Down:
        step = {0, -shown.height() / 2};
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    Q_EMIT centreRequested(m_view.centre() + step);
    Q_EMIT moved();
}

void Minimap::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void Minimap::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace headscope::ui
