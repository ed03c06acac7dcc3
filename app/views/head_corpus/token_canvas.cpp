// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/token_canvas.h"

#include "app/views/head_corpus/token_words.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/hover_card.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/axis/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope::ui
{
namespace
{

constexpr double kPickPx = 8;
constexpr double kMargin = Metrics::kPanel;
constexpr double kLegendWidth = 200;
constexpr double kKeyPanShare = 0.1;

/// The other point of a query's or key's token.
std::optional<std::int64_t> partnerOf(const TokenMap& map, std::int64_t point)
{
    if (map.kind == TokenMapKind::Outputs)
        return std::nullopt;
    const std::int64_t tokens = std::ssize(map.rows);
    return map.isKey(point) ? point - tokens : point + tokens;
}

QString kindOf(const TokenMap& map, std::int64_t point)
{
    if (map.kind == TokenMapKind::Outputs)
        return TokenCanvas::tr("output");
    return map.isKey(point) ? TokenCanvas::tr("key") : TokenCanvas::tr("query");
}

} // namespace

TokenCanvas::TokenCanvas(QWidget* parent) : QWidget(parent), m_zoom(this), m_card(new HoverCard(this))
{
    setObjectName(QStringLiteral("tokenCanvas"));
    setAccessibleName(tr("Map of the head's tokens"));
    setCanvasSummary(this, [this] { return summary(); });
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(240, 200);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_card->hide();
    connect(&m_zoom, &PanZoom::viewChanged, this, [this] {
        m_picture = {};
        update();
    });
    onThemeChange(this, [this] { recolor(); });
}

void TokenCanvas::setMap(TokenMapPtr map, std::shared_ptr<const DocumentSet> documents)
{
    const bool same = m_map != nullptr && map != nullptr && m_map->corpus == map->corpus && m_map->kind == map->kind &&
                      m_map->rows == map->rows;
    const bool recolored = !same || m_documents != documents;
    m_map = std::move(map);
    m_documents = std::move(documents);
    m_picture = {};
    if (!same)
    {
        hover({});
        m_zoom.restart();
    }
    m_grid = m_map != nullptr ? viz::SpatialGrid(m_map->xy.values()) : viz::SpatialGrid();
    if (recolored)
        recolor();
    if (m_map != nullptr && m_zoom.follows())
        m_zoom.follow(fitted());
    noteCanvasChanged(this);
    update();
}

void TokenCanvas::setColor(const TokenColorChoice& choice)
{
    if (choice == m_color)
        return;
    m_color = choice;
    recolor();
}

void TokenCanvas::setMarkedToken(std::int64_t token)
{
    m_marked = token;
    update();
}

void TokenCanvas::setWaiting(const QString& text)
{
    m_waiting = text;
    update();
}

void TokenCanvas::recolor()
{
    m_picture = {};
    m_coloring = {};
    if (m_map != nullptr)
        m_coloring = colorTokens(*m_map, m_color, m_documents.get(), Theme::instance().vizTheme());
    layOutLegend();
    noteCanvasChanged(this);
    update();
}

void TokenCanvas::layOutLegend()
{
    viz::LegendStyle style;
    style.theme = Theme::instance().vizTheme();
    style.textPx = Theme::smallFont().pixelSize();
    style.maxWidth = std::min(kLegendWidth, 0.4 * width());
    style.maxHeight = std::max(60.0, height() - 2 * kMargin);
    m_legend = m_map != nullptr ? viz::LegendLayout(m_coloring.legend, style) : viz::LegendLayout();
}

viz::ViewTransform TokenCanvas::fitted() const
{
    const auto bounds = viz::dataBounds(m_map->xy.values());
    return viz::ViewTransform::fit(bounds.value_or(QRectF()), size());
}

void TokenCanvas::fit()
{
    if (m_map != nullptr)
        m_zoom.fit(fitted());
}

viz::ScatterData TokenCanvas::data() const
{
    viz::ScatterData points;
    points.xy = m_map->xy.values();
    points.index = m_coloring.index;
    points.colors = m_coloring.colors;
    points.shapes = m_coloring.shapes;
    return points;
}

viz::ScatterStyle TokenCanvas::style() const
{
    viz::ScatterStyle style;
    style.theme = Theme::instance().vizTheme();
    if (m_map != nullptr)
    {
        style.scaleGain = m_zoom.view().scale() / fitted().scale();
        // Shapes have to be told: never as small as dots alone could be.
        style.radiusPx = std::max(
            2.2, viz::automaticRadius(m_map->pointCount(), static_cast<double>(width()) * height(), style.scaleGain));
    }
    return style;
}

QPointF TokenCanvas::placeOf(std::int64_t point) const
{
    return m_zoom.view().screenFromData(
        {static_cast<double>(m_map->xy(point, 0)), static_cast<double>(m_map->xy(point, 1))});
}

void TokenCanvas::paintPair(QPainter& painter, std::int64_t point) const
{
    const auto other = partnerOf(*m_map, point);
    if (!other)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(viz::inks(Theme::instance().vizTheme()).secondary, 1, Qt::DashLine));
    painter.drawLine(placeOf(point), placeOf(*other));
}

void TokenCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Colors& colors = Theme::instance().colors();
    if (m_map == nullptr)
    {
        painter.fillRect(rect(), colors.canvas);
        painter.setPen(colors.muted);
        painter.setFont(Theme::bodyFont());
        return painter.drawText(rect().adjusted(Metrics::kGroups, 0, -Metrics::kGroups, 0),
                                Qt::AlignCenter | Qt::TextWordWrap, m_waiting);
    }
    viz::ScatterData points = data();
    const viz::ScatterStyle styled = style();
    if (m_picture.isNull())
    {
        const viz::ScatterPicture picture = m_painter.paint(points, styled, m_zoom.view(), devicePixelRatioF(), 1);
        m_picture = picture.image;
        m_radius = picture.counts.radiusPx;
    }
    painter.drawImage(0, 0, m_picture);
    std::vector<std::int64_t> marked;
    for (std::int64_t point = 0; m_marked >= 0 && point < m_map->pointCount(); ++point)
        if (m_map->tokenOf(point) == m_marked)
            marked.push_back(point);
    if (!marked.empty())
        paintPair(painter, marked.front());
    if (m_hovered)
    {
        paintPair(painter, *m_hovered);
        if (const auto other = partnerOf(*m_map, *m_hovered))
            marked.push_back(*other);
        points.focus = *m_hovered;
    }
    points.marked = marked;
    viz::paintMarks(painter, points, styled, m_zoom.view(), m_radius);
    m_legend.paint(painter, {width() - m_legend.size().width() - kMargin, kMargin});
    const QString badge = mapBadge(*m_map);
    const QFont font = Theme::smallFont();
    const QRectF box(kMargin, height() - 22 - kMargin, viz::textWidth(badge, font) + 16, 22);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colors.hairline);
    painter.setBrush(colors.canvas);
    painter.drawRoundedRect(box, Metrics::kRadius, Metrics::kRadius);
    viz::drawLine(painter, box.adjusted(8, 0, 0, 0), badge, font, colors.text);
}

void TokenCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_picture = {};
    layOutLegend();
    if (m_map != nullptr && m_zoom.follows())
        m_zoom.follow(fitted());
    else
        m_zoom.resize(size());
}

std::optional<std::int64_t> TokenCanvas::pointAt(QPointF place) const
{
    if (m_map == nullptr)
        return std::nullopt;
    return m_grid.nearest(m_zoom.view().dataFromScreen(place), std::max(kPickPx, m_radius) / m_zoom.view().scale());
}

void TokenCanvas::hover(std::optional<std::int64_t> point)
{
    if (point == m_hovered)
        return;
    m_hovered = point;
    setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (point)
        m_card->showAt(tokenCard(*m_map->corpus, m_map->tokenOf(*point), kindOf(*m_map, *point)),
                       placeOf(*point).toPoint());
    else
        m_card->hide();
    update();
    noteCanvasChanged(this);
    Q_EMIT tokenHovered(point ? std::optional(m_map->tokenOf(*point)) : std::nullopt);
}

void TokenCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return QWidget::mousePressEvent(event);
    m_zoom.stop();
    m_drag.begin(event->position(), PointerDrag::Kind::Pressed);
}

void TokenCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF way = event->position() - std::exchange(m_drag.last, event->position());
    if (m_drag.kind == PointerDrag::Kind::None)
        return hover(pointAt(event->position()));
    if (m_drag.starts(event->position()))
    {
        m_drag.kind = PointerDrag::Kind::Pan;
        hover({});
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag.kind == PointerDrag::Kind::Pan && m_map != nullptr)
        m_zoom.panBy(way, PanZoom::Step::Later);
}

void TokenCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    switch (m_drag.end())
    {
    case PointerDrag::Kind::Pan:
        setCursor(Qt::ArrowCursor);
        return m_zoom.remember();
    case PointerDrag::Kind::Pressed:
        if (const auto point = pointAt(event->position()); point && event->button() == Qt::LeftButton)
            Q_EMIT tokenChosen(m_map->tokenOf(*point));
        return;
    default:
        return;
    }
}

void TokenCanvas::mouseDoubleClickEvent(QMouseEvent*)
{
    fit();
}

void TokenCanvas::wheelEvent(QWheelEvent* event)
{
    const auto zoom = zoomOf(*event);
    if (!zoom || m_map == nullptr)
        return event->ignore();
    hover({});
    m_zoom.zoomAt(event->position(), *zoom);
    event->accept();
}

bool TokenCanvas::event(QEvent* event)
{
    if (const auto pinch = m_map == nullptr ? std::nullopt : pinchOf(*event))
    {
        m_zoom.zoomAt(pinch->place, pinch->factor);
        return true;
    }
    return QWidget::event(event);
}

void TokenCanvas::stepBy(std::int64_t points)
{
    const std::int64_t count = m_map->pointCount();
    hover(m_hovered ? (*m_hovered + points + count) % count : std::int64_t{0});
}

void TokenCanvas::keyPressEvent(QKeyEvent* event)
{
    if (m_map == nullptr || m_map->pointCount() == 0)
        return QWidget::keyPressEvent(event);
    const bool pans = event->modifiers().testFlag(Qt::ShiftModifier);
    const QPointF reach(kKeyPanShare * width(), kKeyPanShare * height());
    switch (event->key())
    {
    case Qt::Key_Right:
    case Qt::Key_Down:
        return pans ? m_zoom.panBy({event->key() == Qt::Key_Right ? -reach.x() : 0.0,
                                    event->key() == Qt::Key_Down ? -reach.y() : 0.0},
                                   PanZoom::Step::Soon)
                    : stepBy(1);
    case Qt::Key_Left:
    case Qt::Key_Up:
        return pans ? m_zoom.panBy({event->key() == Qt::Key_Left ? reach.x() : 0.0,
                                    event->key() == Qt::Key_Up ? reach.y() : 0.0},
                                   PanZoom::Step::Soon)
                    : stepBy(-1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return m_zoom.zoomAt(rect().center(), kKeyZoom);
    case Qt::Key_Minus:
        return m_zoom.zoomAt(rect().center(), 1 / kKeyZoom);
    case Qt::Key_0:
        return fit();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_hovered)
            return Q_EMIT tokenChosen(m_map->tokenOf(*m_hovered));
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void TokenCanvas::leaveEvent(QEvent* event)
{
    hover({});
    QWidget::leaveEvent(event);
}

void TokenCanvas::focusOutEvent(QFocusEvent* event)
{
    hover({});
    QWidget::focusOutEvent(event);
}

QString TokenCanvas::summary() const
{
    if (m_map == nullptr)
        return m_waiting;
    QString text = tr("%1. %2. %3").arg(headName(*m_map->corpus), mapBadge(*m_map), mapSentence(*m_map));
    if (m_hovered)
        text += tr(" Under the pointer: %1.")
                    .arg(spokenText(tokenCard(*m_map->corpus, m_map->tokenOf(*m_hovered), kindOf(*m_map, *m_hovered))));
    return text;
}

} // namespace headscope::ui
