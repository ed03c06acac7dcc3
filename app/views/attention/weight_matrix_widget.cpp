// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/weight_matrix_widget.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/hover_card.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMargin = 4;

QString shareText(float share)
{
    return QString::number(static_cast<double>(share), 'f', 3);
}

} // namespace

WeightMatrixWidget::WeightMatrixWidget(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("attentionMatrix"));
    setAccessibleName(tr("Attention weight matrix"));
    setCanvasSummary(this, [this] {
        if (m_names == nullptr || m_weights == nullptr)
            return QString();
        if (!m_chosen)
            return tr("%1; rows are query tokens, columns are key tokens; arrow keys select a cell")
                .arg(countText(m_names->count(), tr("token"), tr("tokens")));
        return tr("“%1” attends to “%2”: %3")
            .arg(m_names->shown(m_chosen->reading), m_names->shown(m_chosen->read),
                 m_weights->weights().mayRead(m_chosen->reading, m_chosen->read)
                     ? shareText(m_weights->weights().raw(m_chosen->reading, m_chosen->read))
                     : tr("future token"));
    });
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    m_card = new HoverCard(this);
    m_card->hide();
    onThemeChange(this, [this] { layOut(); });
}

void WeightMatrixWidget::setTokens(std::shared_ptr<const viz::TokenNames> names)
{
    if (m_names == names)
        return;
    m_names = std::move(names);
    m_weights.reset();
    m_chosen.reset();
    m_hovered.reset();
    m_card->hide();
    fitAll();
}

void WeightMatrixWidget::setWeights(std::shared_ptr<const viz::WeightPyramid> weights)
{
    m_weights = std::move(weights);
    noteCanvasChanged(this);
    update();
}

void WeightMatrixWidget::setChosen(std::optional<viz::WeightCell> cell)
{
    if (std::exchange(m_chosen, cell) == cell)
        return;
    if (cell && m_names != nullptr && !m_layout.showsAll())
        show(m_layout.showing(*cell));
    noteCanvasChanged(this);
    update();
}

void WeightMatrixWidget::layOut()
{
    m_layout = m_names != nullptr
                   ? viz::WeightMatrixLayout(*m_names, QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin),
                                             Theme::instance().vizTheme(), m_window)
                   : viz::WeightMatrixLayout();
    update();
}

void WeightMatrixWidget::fitAll()
{
    m_window = {};
    layOut();
}

void WeightMatrixWidget::show(const viz::MatrixWindow& window)
{
    m_window = window.cell > m_layout.fittingCell() * 1.0001 ? window : viz::MatrixWindow{};
    layOut();
}

void WeightMatrixWidget::hover(std::optional<viz::WeightCell> cell, QPoint at)
{
    if (!cell || m_weights == nullptr)
        m_card->hide();
    else
    {
        const viz::ShownWeights& weights = m_weights->weights();
        HoverContent content;
        content.title = tr("“%1” attends to “%2”").arg(m_names->shown(cell->reading), m_names->shown(cell->read));
        if (!weights.mayRead(cell->reading, cell->read))
            content.subtitle = tr("future token: masked in a causal model");
        else
        {
            content.value = shareText(weights.raw(cell->reading, cell->read));
            if (weights.withoutFirst() && cell->read > 0)
                content.subtitle = tr("%1 without the first token").arg(shareText(weights(cell->reading, cell->read)));
        }
        m_card->showAt(content, at);
    }
    if (std::exchange(m_hovered, cell) == cell)
        return;
    update();
    Q_EMIT cellPointed(cell);
}

void WeightMatrixWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().colors().canvas);
    if (m_names != nullptr && m_weights != nullptr)
        m_layout.paint(painter, *m_weights, {m_chosen, m_hovered}, devicePixelRatioF());
}

void WeightMatrixWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void WeightMatrixWidget::wheelEvent(QWheelEvent* event)
{
    const auto factor = zoomOf(*event);
    if (!factor || m_names == nullptr)
        return QWidget::wheelEvent(event);
    show(m_layout.zoomedAt(event->position(), *factor));
    event->accept();
}

void WeightMatrixWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_drag.begin(event->position(), PointerDrag::Kind::Pressed);
}

void WeightMatrixWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag.starts(event->position()))
        m_drag.kind = PointerDrag::Kind::Pan;
    if (m_drag.kind == PointerDrag::Kind::Pan && m_names != nullptr)
    {
        show(m_layout.panned(event->position() - m_drag.last));
        m_drag.last = event->position();
        return hover({}, {});
    }
    hover(m_layout.cellAt(event->position()), event->position().toPoint());
}

void WeightMatrixWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_drag.end() != PointerDrag::Kind::Pressed || m_weights == nullptr)
        return;
    const auto cell = m_layout.cellAt(event->position());
    Q_EMIT cellChosen(cell && cell == m_chosen ? std::nullopt : cell);
}

void WeightMatrixWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!m_layout.cellAt(event->position()))
        fitAll();
}

void WeightMatrixWidget::leaveEvent(QEvent* event)
{
    hover({}, {});
    QWidget::leaveEvent(event);
}

void WeightMatrixWidget::moveChosen(int rows, int columns)
{
    if (m_names == nullptr || m_names->count() == 0)
        return;
    const std::int64_t last = m_names->count() - 1;
    if (!m_chosen)
        return Q_EMIT cellChosen(viz::WeightCell{last, last});
    Q_EMIT cellChosen(viz::WeightCell{std::clamp<std::int64_t>(m_chosen->reading + rows, 0, last),
                                      std::clamp<std::int64_t>(m_chosen->read + columns, 0, last)});
}

void WeightMatrixWidget::keyPressEvent(QKeyEvent* event)
{
    if (m_names == nullptr)
        return QWidget::keyPressEvent(event);
    const QPointF middle = m_layout.plot().center();
    switch (event->key())
    {
    case Qt::Key_Up:
        return moveChosen(-1, 0);
    case Qt::Key_Down:
        return moveChosen(1, 0);
    case Qt::Key_Left:
        return moveChosen(0, -1);
    case Qt::Key_Right:
        return moveChosen(0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return show(m_layout.zoomedAt(middle, kKeyZoom));
    case Qt::Key_Minus:
        return show(m_layout.zoomedAt(middle, 1 / kKeyZoom));
    case Qt::Key_Home:
    case Qt::Key_0:
        return fitAll();
    default:
        return QWidget::keyPressEvent(event);
    }
}

} // namespace headscope::ui
