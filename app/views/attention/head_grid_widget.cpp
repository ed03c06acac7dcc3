// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/head_grid_widget.h"

#include "app/views/attention/attention_text.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/hover_card.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMargin = 2; // marks lie around the cells

/// What the card says of a head.
HoverContent cardOf(const AttentionRun& run, AttentionHead place, const QColor& color)
{
    HoverContent content;
    content.color = color;
    content.title = placeText(place);
    content.detail = groupTag(run.model, Stage::HeadOutput, place.head);
    QStringList facts;
    for (const char* name : {"first_token", "previous_token", "entropy_causal"})
        if (const auto found = run.statistics.find(name); found != run.statistics.end())
            facts << measureTitle(name) % u' ' %
                         measureText(found->second(static_cast<std::int64_t>(run.placeOf(place.layer).value()),
                                                   place.head.value()));
    content.subtitle = facts.join(QStringLiteral(" · "));
    return content;
}

} // namespace

HeadGridWidget::HeadGridWidget(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("attentionHeads"));
    setAccessibleName(tr("Attention of all heads"));
    setCanvasSummary(this, [this] {
        if (m_run == nullptr)
            return QString();
        return tr("%1 layers of %2 heads; %3. Arrow keys select a head, P pins it.")
            .arg(m_run->layers.size())
            .arg(m_run->model.heads)
            .arg(m_chosen ? tr("%1 is selected").arg(placeText(*m_chosen)) : tr("none is selected"));
    });
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_card = new HoverCard(this);
    m_card->hide();
    onThemeChange(this, [this] {
        if (m_run != nullptr)
            m_palette = viz::HeadPalette(m_run->model, Theme::instance().vizTheme());
        layOut();
    });
}

void HeadGridWidget::setRun(AttentionRunPtr run)
{
    const bool same = m_run != nullptr && run != nullptr && m_run->origin == run->origin;
    m_run = std::move(run);
    if (m_run != nullptr)
        m_palette = viz::HeadPalette(m_run->model, Theme::instance().vizTheme());
    if (!same)
    {
        m_style = {};
        m_hovered.reset();
        m_card->hide();
    }
    setMeasure(m_measure);
    layOut();
}

void HeadGridWidget::setWithoutFirst(bool withoutFirst)
{
    if (std::exchange(m_withoutFirst, withoutFirst) != withoutFirst)
        update();
}

const MatrixD* HeadGridWidget::measureValues() const
{
    if (m_run == nullptr || m_measure.empty())
        return nullptr;
    const auto found = m_run->statistics.find(m_measure);
    return found != m_run->statistics.end() ? &found->second : nullptr;
}

void HeadGridWidget::setMeasure(const std::string& measure)
{
    m_measure = measure;
    const MatrixD* values = measureValues();
    m_scale = values != nullptr ? viz::measureScale(*values) : std::nullopt;
    update();
}

void HeadGridWidget::setChosen(std::optional<AttentionHead> head)
{
    if (std::exchange(m_chosen, head) == head)
        return;
    if (const auto cell = head ? cellOf(*head) : std::nullopt)
        showCell(*cell);
    noteCanvasChanged(this);
    update();
}

void HeadGridWidget::setPinned(const std::vector<AttentionHead>& heads)
{
    m_pinned = heads;
    update();
}

void HeadGridWidget::setOff(const std::vector<AttentionHead>& heads)
{
    m_off = heads;
    noteCanvasChanged(this);
    update();
}

std::optional<AttentionHead> HeadGridWidget::hovered() const
{
    return m_hovered ? std::optional(placeOf(*m_hovered)) : std::nullopt;
}

std::optional<viz::ThumbnailCell> HeadGridWidget::cellOf(AttentionHead place) const
{
    const auto row = m_run != nullptr ? m_run->placeOf(place.layer) : std::nullopt;
    if (!row || place.head.value() < 0 || place.head.value() >= m_run->model.heads)
        return {};
    return viz::ThumbnailCell{static_cast<std::int64_t>(*row), place.head};
}

AttentionHead HeadGridWidget::placeOf(viz::ThumbnailCell cell) const
{
    return {m_run->layers[static_cast<std::size_t>(cell.row)], cell.head};
}

void HeadGridWidget::layOut()
{
    m_style.theme = Theme::instance().vizTheme();
    m_style.textPx = Theme::smallFont().pixelSize();
    m_layout = m_run != nullptr ? viz::ThumbnailGridLayout(m_run->layers, m_run->model,
                                                           QRectF(rect()).adjusted(0, 0, -kMargin, -kMargin), m_style)
                                : viz::ThumbnailGridLayout();
    m_style.offset = m_layout.style().offset;
    update();
}

int HeadGridWidget::widthForHeight(int height) const
{
    if (m_run == nullptr)
        return minimumSizeHint().width();
    viz::ThumbnailGridStyle style = m_style;
    style.cell = {};
    style.offset = {};
    constexpr double kWide = 4000;
    const viz::ThumbnailGridLayout fitted(m_run->layers, m_run->model, QRectF(0, 0, kWide, height - kMargin), style);
    return static_cast<int>(std::ceil(fitted.window().left() + fitted.contentSize().width())) + kMargin;
}

void HeadGridWidget::fitAll()
{
    m_style.cell = {};
    m_style.offset = {};
    layOut();
}

void HeadGridWidget::zoomAt(QPointF place, double factor)
{
    if (m_run == nullptr)
        return;
    const QSize before = m_layout.cellSize();
    const auto grown = [factor](int length) {
        const double wished = length * factor;
        return static_cast<int>(factor > 1 ? std::ceil(wished) : std::floor(wished));
    };
    const viz::ThumbnailGridLayout fitted(m_run->layers, m_run->model,
                                          QRectF(rect()).adjusted(0, 0, -kMargin, -kMargin),
                                          {m_style.theme, m_style.textPx, {}, {}});
    const QSize cell(grown(before.width()), grown(before.height()));
    if (cell.width() <= fitted.cellSize().width() || cell.height() <= fitted.cellSize().height())
        return fitAll();
    if (std::max(cell.width(), cell.height()) > viz::ThumbnailGridLayout::kLargestCell)
        return;
    const QPointF at = place - m_layout.window().topLeft();
    const QPointF content = at + m_style.offset;
    m_style.cell = cell;
    m_style.offset =
        QPointF(content.x() * cell.width() / before.width(), content.y() * cell.height() / before.height()) - at;
    layOut();
}

void HeadGridWidget::panBy(QPointF pixels)
{
    m_style.offset = m_layout.bounded(m_style.offset - pixels);
    layOut();
}

void HeadGridWidget::showCell(viz::ThumbnailCell cell)
{
    const QRectF place = m_layout.cellRect(cell);
    const QRectF window = m_layout.window();
    QPointF by(0, 0);
    if (place.right() > window.right())
        by.setX(window.right() - place.right() - 4);
    if (place.bottom() > window.bottom())
        by.setY(window.bottom() - place.bottom() - 4);
    if (place.left() < window.left())
        by.setX(window.left() - place.left() + 4);
    if (place.top() < window.top())
        by.setY(window.top() - place.top() + 4);
    if (!by.isNull())
        panBy(by);
}

void HeadGridWidget::hover(std::optional<viz::ThumbnailCell> cell, QPoint at)
{
    const bool other = cell != m_hovered;
    m_hovered = cell;
    setCursor(cell ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (!cell)
        m_card->hide();
    else
    {
        HoverContent content = cardOf(*m_run, placeOf(*cell), m_palette.color(cell->head));
        if (const MatrixD* values = measureValues())
            content.value = measureText((*values)(cell->row, cell->head.value()));
        m_card->showAt(content, at);
    }
    if (other)
        update();
}

void HeadGridWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().colors().canvas);
    if (m_run == nullptr)
        return;
    const auto chosen = m_chosen ? cellOf(*m_chosen) : std::nullopt;
    if (const MatrixD* values = measureValues(); values != nullptr && m_scale)
        viz::paintMeasure(painter, m_layout, *values, viz::measureColors(*m_scale, m_style.theme));
    else if (m_run->thumbnailSide > 0)
    {
        m_atlas.prepare(m_run, m_layout.cellSize() * devicePixelRatioF(), m_style.theme, m_withoutFirst);
        viz::paintThumbnails(painter, m_layout, m_atlas);
    }
    m_layout.paintHeadings(painter, m_palette, chosen);
    viz::ThumbnailMarks marks{chosen, {}, m_hovered, {}};
    for (const AttentionHead& place : m_off)
        if (const auto cell = cellOf(place))
            marks.off.push_back(*cell);
    for (const AttentionHead& place : m_pinned)
        if (const auto cell = cellOf(place))
            marks.pinned.push_back(*cell);
    viz::paintThumbnailMarks(painter, m_layout, marks);
}

void HeadGridWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void HeadGridWidget::wheelEvent(QWheelEvent* event)
{
    if (const auto factor = zoomOf(*event))
    {
        zoomAt(event->position(), *factor);
        event->accept();
        return;
    }
    QWidget::wheelEvent(event);
}

void HeadGridWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_drag.begin(event->position(), PointerDrag::Kind::Pressed);
}

void HeadGridWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag.starts(event->position()))
        m_drag.kind = PointerDrag::Kind::Pan;
    if (m_drag.kind == PointerDrag::Kind::Pan)
    {
        panBy(event->position() - m_drag.last);
        m_drag.last = event->position();
        return hover({}, {});
    }
    hover(m_run != nullptr ? m_layout.cellAt(event->position()) : std::nullopt, event->position().toPoint());
}

void HeadGridWidget::mouseReleaseEvent(QMouseEvent* event)
{
    const PointerDrag::Kind was = m_drag.end();
    if (was != PointerDrag::Kind::Pressed || m_run == nullptr)
        return;
    const auto cell = m_layout.cellAt(event->position());
    if (!cell)
        return;
    if (event->modifiers().testFlag(Qt::ControlModifier))
        Q_EMIT pinAsked(placeOf(*cell));
    else
        Q_EMIT headChosen(placeOf(*cell));
}

void HeadGridWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_run != nullptr && !m_layout.cellAt(event->position()))
        fitAll();
}

void HeadGridWidget::leaveEvent(QEvent* event)
{
    hover({}, {});
    QWidget::leaveEvent(event);
}

void HeadGridWidget::moveChosen(int rows, int heads)
{
    const auto cell = m_chosen ? cellOf(*m_chosen) : std::nullopt;
    if (!cell || m_run->layers.empty())
        return;
    const viz::ThumbnailCell next{
        std::clamp<std::int64_t>(cell->row + rows, 0, static_cast<std::int64_t>(m_run->layers.size()) - 1),
        HeadIndex(std::clamp<std::int64_t>(cell->head.value() + heads, 0, m_run->model.heads - 1))};
    if (next != *cell)
        Q_EMIT headChosen(placeOf(next));
}

void HeadGridWidget::keyPressEvent(QKeyEvent* event)
{
    if (m_run == nullptr)
        return QWidget::keyPressEvent(event);
    const QPointF middle = m_layout.window().center();
    switch (event->key())
    {
    case Qt::Key_Left:
        return moveChosen(0, -1);
    case Qt::Key_Right:
        return moveChosen(0, 1);
    case Qt::Key_Up:
        return moveChosen(-1, 0);
    case Qt::Key_Down:
        return moveChosen(1, 0);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAt(middle, kKeyZoom);
    case Qt::Key_Minus:
        return zoomAt(middle, 1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_0:
        return fitAll();
    default:
        return QWidget::keyPressEvent(event);
    }
}

} // namespace headscope::ui
