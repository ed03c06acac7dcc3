// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_widget.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <utility>

namespace headscope::ui
{

HeatmapWidget::HeatmapWidget(QWidget* parent) : QWidget(parent), m_input(*this, m_stack, m_marks)
{
    setObjectName(QStringLiteral("heatmap"));
    setAccessibleName(tr("Heatmap"));
    setAccessibleDescription(tr("Arrow keys move the crosshair, Return selects, plus and minus zoom, Home shows all"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumWidth(240);
    m_card = new HoverCard(this);
    onThemeChange(this, [this] { layOut(); });
}

void HeatmapWidget::setPanels(Panels panels, const ModelInfo& info)
{
    m_stack.setPanels(std::move(panels), info);
    m_input.letGo();
    m_input.hover({}, {});
    setMinimumHeight(m_stack.leastHeight());
    layOut();
    Q_EMIT windowChanged();
}

void HeatmapWidget::setRows(HeatmapRows rows)
{
    m_stack.rows = rows;
    layOut();
}

void HeatmapWidget::setHeads(const std::vector<std::int64_t>& heads)
{
    if (m_stack.heads == heads)
        return;
    m_stack.heads = heads;
    m_input.hover({}, {});
    setMinimumHeight(m_stack.leastHeight());
    layOut();
    Q_EMIT windowChanged();
}

void HeatmapWidget::setScale(const viz::ScaleChoice& choice)
{
    if (m_stack.scale == choice)
        return;
    m_stack.scale = choice;
    layOut();
}

void HeatmapWidget::setPooling(viz::CellPooling pooling)
{
    m_stack.pooling = pooling;
    layOut();
}

void HeatmapWidget::setCardSource(std::function<HoverContent(const Heatmap& heatmap, viz::HeatmapCell cell)> source)
{
    m_cardSource = std::move(source);
}

void HeatmapWidget::showCard(const std::optional<HeatmapPlace>& place, QPoint at)
{
    if (place && m_cardSource)
        m_card->showAt(m_cardSource(m_stack.heatmap(place->heatmap), place->cell), at);
    else
        m_card->hide();
}

QString HeatmapWidget::cellText() const
{
    if (!m_marks.hover || !m_cardSource)
        return {};
    return spokenText(m_cardSource(m_stack.heatmap(m_marks.hover->heatmap), m_marks.hover->cell));
}

void HeatmapWidget::setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head)
{
    m_marks.primary = document;
    m_marks.primaryHead = head;
    update();
}

void HeatmapWidget::setHovered(std::optional<DocumentIndex> document)
{
    if (m_marks.hover || document == m_marks.hoveredDocument)
        return;
    m_marks.hoveredDocument = document;
    update();
}

void HeatmapWidget::setHoveredHead(std::optional<HeadIndex> head)
{
    if (head == m_marks.hoveredHead)
        return;
    m_marks.hoveredHead = head;
    if (!m_marks.hover)
        update();
}

void HeatmapWidget::setLitHeads(const std::vector<std::int64_t>& heads)
{
    m_marks.litHeads = heads;
    update();
}

void HeatmapWidget::setChosen(const std::vector<std::int64_t>& documents)
{
    m_chosen = documents;
    dropPicture();
}

void HeatmapWidget::layOut()
{
    m_stack.layOut(QSizeF(size()), Theme::instance().vizTheme());
    setWindow(m_stack.window());
    dropPicture();
}

void HeatmapWidget::setWindow(const viz::HeatmapWindow& window)
{
    if (!m_stack.setWindow(window))
        return;
    dropPicture();
    Q_EMIT windowChanged();
}

void HeatmapWidget::zoomToTopic(std::int64_t topic)
{
    if (const auto window = m_stack.windowOfTopic(topic))
        setWindow(*window);
}

void HeatmapWidget::dropPicture()
{
    m_picture = QImage();
    update();
}

void HeatmapWidget::paintPicture()
{
    if (!m_picture.isNull())
        return;
    const double dpr = devicePixelRatioF();
    m_picture = QImage(size() * dpr, QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(dpr);
    m_picture.fill(Theme::instance().colors().canvas);
    QPainter painter(&m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    m_stack.paint(painter, dpr, litDocuments());
}

QImage HeatmapWidget::picture()
{
    paintPicture();
    return m_picture;
}

void HeatmapWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    ++m_paints;
    paintPicture();
    QPainter painter(this);
    painter.drawImage(QPointF(0, 0), m_picture);
    paintHeatmapMarks(painter, m_stack, m_marks);
}

void HeatmapWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
    Q_EMIT windowChanged();
}

bool HeatmapWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_input.toolTip(*static_cast<QHelpEvent*>(event)))
        return true;
    return QWidget::event(event);
}

void HeatmapWidget::mouseMoveEvent(QMouseEvent* event)
{
    m_input.move(*event);
}

void HeatmapWidget::mousePressEvent(QMouseEvent* event)
{
    if (!m_input.press(*event))
        QWidget::mousePressEvent(event);
}

void HeatmapWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_input.release(*event))
        QWidget::mouseReleaseEvent(event);
}

void HeatmapWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!m_input.doubleClick(*event))
        QWidget::mouseDoubleClickEvent(event);
}

void HeatmapWidget::wheelEvent(QWheelEvent* event)
{
    if (!m_input.turn(*event))
        QWidget::wheelEvent(event);
}

void HeatmapWidget::keyPressEvent(QKeyEvent* event)
{
    if (!m_input.key(*event))
        QWidget::keyPressEvent(event);
}

void HeatmapWidget::contextMenuEvent(QContextMenuEvent* event)
{
    m_input.contextMenu(*event);
}

void HeatmapWidget::leaveEvent(QEvent* event)
{
    m_input.leave();
    QWidget::leaveEvent(event);
}

void HeatmapWidget::focusOutEvent(QFocusEvent* event)
{
    if (!underMouse())
        m_input.hover({}, {});
    QWidget::focusOutEvent(event);
}

QString rowSource(const Heatmap& heatmap, std::int64_t row)
{
    return row == 0 && !heatmap.fullSource.empty()
               ? toQString(heatmap.fullSource)
               : HeatmapWidget::tr("stage %1").arg(toQString(stageName(heatmap.stage)));
}

} // namespace headscope::ui
