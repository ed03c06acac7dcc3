// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/atlas/atlas_canvas.h"

#include "ui/theme/theme.h"
#include "ui/views/atlas/head_card.h"
#include "ui/words/wording.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <utility>

namespace headscope::ui
{

AtlasCanvas::AtlasCanvas(QWidget* parent) : QWidget(parent), m_card(new HeadCard(this))
{
    setObjectName(QStringLiteral("atlasCanvas"));
    setAccessibleName(tr("Heads of the model"));
    setAccessibleDescription(tr("Arrows go from head to head, Return chooses the head everywhere, a drag marks those "
                                "inside"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    onThemeChange(this, [this] { layOut(); });
}

void AtlasCanvas::setMeasures(std::shared_ptr<const HeadMeasures> measures)
{
    m_measures = std::move(measures);
    if (m_measures == nullptr)
    {
        m_dots = {};
        m_cells = {};
        m_marks = {};
        m_card->hide();
        layOut();
    }
}

void AtlasCanvas::setDots(viz::HeadDots dots)
{
    m_dots = std::move(dots);
    layOut();
}

void AtlasCanvas::setGrid(viz::HeadGrid grid)
{
    m_cells = std::move(grid);
    layOut();
}

void AtlasCanvas::setForm(Form form)
{
    m_form = form;
    hover({}, {}, false);
    layOut();
}

void AtlasCanvas::setMarks(const viz::HeadMarks& marks)
{
    const auto hovered = m_marks.hovered;
    m_marks = marks;
    m_marks.hovered = hovered;
    update();
}

void AtlasCanvas::setHovered(std::optional<HeadPlace> head)
{
    if (m_card->isVisible() || head == m_marks.hovered)
        return; // the pointer is here
    m_marks.hovered = head;
    update();
}

bool AtlasCanvas::empty() const
{
    return m_measures == nullptr || (m_form == Form::Dots ? m_dots.dots.empty() : m_cells.layers <= 0);
}

void AtlasCanvas::layOut()
{
    const viz::ChartStyle style{Theme::instance().vizTheme(), static_cast<double>(Theme::bodyFont().pixelSize())};
    const QRectF box = QRectF(rect()).adjusted(16, 12, -12, -8);
    if (m_form == Form::Dots)
        m_scatter = viz::HeadScatterLayout(m_dots, box, style);
    else
        m_grid = viz::HeadGridLayout(m_cells, box, style);
    update();
}

void AtlasCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

std::optional<HeadPlace> AtlasCanvas::headAt(QPointF place) const
{
    if (empty())
        return std::nullopt;
    if (m_form == Form::Grid)
        return m_grid.headAt(place);
    const auto dot = m_scatter.dotAt(place);
    return dot ? std::optional(m_dots.dots[*dot].head) : std::nullopt;
}

QPointF AtlasCanvas::placeOf(const HeadPlace& head) const
{
    if (m_form == Form::Grid)
        return m_grid.rectOf(head).center();
    const auto dot = m_dots.indexOf(head);
    return dot ? m_scatter.placeOf(*dot) : QPointF(rect().center());
}

std::vector<HeadPlace> AtlasCanvas::inside(const QPolygonF& outline) const
{
    if (m_form == Form::Grid)
        return m_grid.headsIn(outline);
    std::vector<HeadPlace> heads;
    for (const std::size_t dot : m_scatter.dotsIn(outline))
        heads.push_back(m_dots.dots[dot].head);
    return heads;
}

void AtlasCanvas::hover(const std::optional<HeadPlace>& head, QPoint at, bool card)
{
    if (card && head && m_measures != nullptr)
    {
        const auto h = static_cast<std::size_t>(head->head);
        const viz::HeadColors& colors = m_form == Form::Dots ? m_dots.colors : m_cells.colors;
        m_card->showAt(*m_measures, *head, QColor::fromRgb(colors.colors[colors.indexOf(*head)]),
                       h < m_groupNames.size() ? m_groupNames[h] : QString(), at);
        setAccessibleDescription(cardText(*m_measures, *head));
    }
    else
        m_card->hide();
    if (head == m_marks.hovered)
        return;
    m_marks.hovered = head;
    setCursor(head ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    Q_EMIT headHovered(head);
}

void AtlasCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_path.isEmpty())
    {
        m_path << event->position();
        const QPointF way = event->position() - m_path.front();
        m_dragging = m_dragging || std::hypot(way.x(), way.y()) >= QApplication::startDragDistance();
        if (m_dragging)
        {
            hover({}, {}, false);
            update();
        }
        return;
    }
    hover(headAt(event->position()), event->position().toPoint(), true);
}

void AtlasCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || empty())
        return QWidget::mousePressEvent(event);
    m_path = {event->position()};
    m_dragging = false;
}

void AtlasCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_path.isEmpty())
        return QWidget::mouseReleaseEvent(event);
    const QPolygonF drawn = std::exchange(m_path, {});
    update();
    if (std::exchange(m_dragging, false))
        return Q_EMIT headsPicked(inside(drawn), event->modifiers());
    if (const auto head = headAt(event->position()))
        Q_EMIT headClicked(*head);
    else
        Q_EMIT unmarkRequested();
}

void AtlasCanvas::leaveEvent(QEvent* event)
{
    hover({}, {}, false);
    QWidget::leaveEvent(event);
}

void AtlasCanvas::focusOutEvent(QFocusEvent* event)
{
    hover({}, {}, false);
    QWidget::focusOutEvent(event);
}

std::optional<HeadPlace> AtlasCanvas::beside(int columns, int rows) const
{
    if (!m_marks.hovered)
    {
        if (!m_marks.chosen.empty() && (m_form == Form::Grid || m_dots.indexOf(m_marks.chosen.front())))
            return m_marks.chosen.front();
        return m_form == Form::Grid ? HeadPlace{m_marks.layer.value_or(0), 0} : m_dots.dots.front().head;
    }
    if (m_form == Form::Grid)
        return m_grid.headBeside(*m_marks.hovered, columns, rows);
    const auto from = m_dots.indexOf(*m_marks.hovered);
    if (!from)
        return m_dots.dots.front().head;
    const auto next = m_scatter.dotBeside(*from, {static_cast<double>(columns), static_cast<double>(rows)});
    return m_dots.dots[next.value_or(*from)].head;
}

void AtlasCanvas::keyPressEvent(QKeyEvent* event)
{
    if (empty())
        return QWidget::keyPressEvent(event);
    const auto go = [this](int columns, int rows) {
        if (const auto head = beside(columns, rows))
            hover(head, placeOf(*head).toPoint(), true);
    };
    switch (event->key())
    {
    case Qt::Key_Left:
        return go(-1, 0);
    case Qt::Key_Right:
        return go(1, 0);
    case Qt::Key_Up:
        return go(0, -1);
    case Qt::Key_Down:
        return go(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_marks.hovered)
            Q_EMIT headClicked(*m_marks.hovered);
        return;
    case Qt::Key_Escape:
        if (!m_path.isEmpty())
        {
            m_path.clear();
            m_dragging = false;
            return update();
        }
        if (m_marks.marked.empty())
            return QWidget::keyPressEvent(event);
        return Q_EMIT unmarkRequested();
    default:
        return QWidget::keyPressEvent(event);
    }
}

void AtlasCanvas::paintEvent(QPaintEvent*)
{
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.canvas);
    if (m_measures != nullptr)
    {
        if (m_form == Form::Dots)
            m_scatter.paint(painter, m_marks);
        else
            m_grid.paint(painter, m_marks);
    }
    if (m_dragging)
    {
        QColor fill = colors.accent;
        fill.setAlpha(36);
        QPainterPath path;
        path.addPolygon(m_path);
        path.closeSubpath();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(fill);
        painter.drawPath(path);
    }
    if (hasFocus())
    {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace headscope::ui
