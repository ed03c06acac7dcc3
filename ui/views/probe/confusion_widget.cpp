// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/probe/confusion_widget.h"

#include "model/data/key_sharing.h"

#include "ui/canvas/hover_card.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/color/head_palette.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace headscope::ui
{

ConfusionWidget::ConfusionWidget(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("confusion"));
    setAccessibleName(tr("Confusion matrix"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_card = new HoverCard(this);
    onThemeChange(this, [this] { layOut(); });
}

void ConfusionWidget::setResult(std::shared_ptr<const ProbeResult> result, const ModelInfo& info)
{
    m_result = std::move(result);
    m_info = info;
    m_chosen.reset();
    m_card->hide();
    m_cell.reset();
    setAccessibleDescription({}); // it spoke of the result before
    layOut();
}

void ConfusionWidget::setValues(viz::ConfusionValues values)
{
    m_style.values = values;
    layOut();
}

void ConfusionWidget::setShades(viz::ShadeScale scale)
{
    m_style.scale = scale;
    layOut();
}

void ConfusionWidget::setHoveredHead(std::optional<HeadIndex> head)
{
    if (head == m_hoveredHead)
        return;
    m_hoveredHead = head;
    update();
}

void ConfusionWidget::layOut()
{
    m_style.chart = {Theme::instance().vizTheme(), static_cast<double>(Theme::bodyFont().pixelSize())};
    m_layout = m_result == nullptr
                   ? viz::ConfusionLayout()
                   : viz::ConfusionLayout(*m_result, m_info, QRectF(rect()).adjusted(0, 2, 0, 0), m_style);
    update();
}

void ConfusionWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

QString ConfusionWidget::cellTitle(Cell cell) const
{
    if (m_result == nullptr)
        return {};
    const Stage stage = m_result->stage.value_or(Stage::HeadOutput);
    const QString truth = unitText(stage, m_layout.headOf(cell.first));
    if (cell.first == cell.second)
        return tr("%1 recognised").arg(truth);
    return tr("%1 taken for %2").arg(truth).arg(shownNumber(m_layout.headOf(cell.second)));
}

void ConfusionWidget::showCard(Cell cell, QPoint place)
{
    const HeadIndex truth = m_layout.headOf(cell.first);
    const HeadIndex predicted = m_layout.headOf(cell.second);
    const std::int64_t count = m_result->confusion(cell.first, cell.second);
    std::int64_t rows = 0;
    for (const std::int64_t each : m_result->confusion.row(cell.first))
        rows += each;
    HoverContent content;
    content.color = viz::HeadPalette(m_info, Theme::instance().vizTheme()).color(truth);
    content.title = cellTitle(cell);
    content.value = QLocale().toString(100 * m_layout.shareOf(cell), 'f', 1) % QStringLiteral(" %");
    content.subtitle = tr("%1 of its %2 test rows").arg(countText(count), countText(rows));
    if (m_result->stage && hasKvGroups(m_info, *m_result->stage))
    {
        const auto from = m_info.groupOf(truth);
        const auto to = m_info.groupOf(predicted);
        content.subtitle += from == to ? tr(" · both in KV%1").arg(shownNumber(from))
                                       : tr(" · KV%1 to KV%2").arg(shownNumber(from)).arg(shownNumber(to));
    }
    setAccessibleDescription(content.title % QStringLiteral(", ") % content.value % QStringLiteral(", ") %
                             content.subtitle);
    m_card->showAt(content, place);
}

void ConfusionWidget::moveTo(std::optional<Cell> cell, QPoint cardPlace)
{
    if (cell != m_cell)
    {
        m_cell = cell;
        setCursor(cell ? Qt::PointingHandCursor : Qt::ArrowCursor);
        update();
        std::optional<HeadIndex> head;
        if (cell)
            head = m_layout.headOf(cell->first);
        Q_EMIT headHovered(head);
    }
    if (cell)
        showCard(*cell, cardPlace);
    else
        m_card->hide();
}

void ConfusionWidget::mouseMoveEvent(QMouseEvent* event)
{
    moveTo(m_layout.cellAt(event->position()), event->pos());
}

void ConfusionWidget::mousePressEvent(QMouseEvent* event)
{
    const auto cell = m_layout.cellAt(event->position());
    if (!cell || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    choose(*cell, event->modifiers());
}

void ConfusionWidget::leaveEvent(QEvent* event)
{
    moveTo({}, {});
    QWidget::leaveEvent(event);
}

void ConfusionWidget::focusOutEvent(QFocusEvent* event)
{
    if (!underMouse())
        moveTo({}, {});
    QWidget::focusOutEvent(event);
}

void ConfusionWidget::keyPressEvent(QKeyEvent* event)
{
    const std::int64_t last = m_layout.classes() - 1;
    if (last < 0)
        return QWidget::keyPressEvent(event);
    Cell cell = m_cell.value_or(m_chosen.value_or(Cell(0, 0)));
    switch (event->key())
    {
    case Qt::Key_Left:
        cell.second -= m_cell ? 1 : 0;
        break;
    case Qt::Key_Right:
        cell.second += m_cell ? 1 : 0;
        break;
    case Qt::Key_Up:
        cell.first -= m_cell ? 1 : 0;
        break;
    case Qt::Key_Down:
        cell.first += m_cell ? 1 : 0;
        break;
    case Qt::Key_Home:
        cell = {0, 0};
        break;
    case Qt::Key_End:
        cell = {last, last};
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_cell)
            choose(*m_cell, event->modifiers());
        return;
    default:
        return QWidget::keyPressEvent(event);
    }
    cell = {std::clamp<std::int64_t>(cell.first, 0, last), std::clamp<std::int64_t>(cell.second, 0, last)};
    moveTo(cell, m_layout.cellRect(cell).center().toPoint());
}

void ConfusionWidget::choose(Cell cell, Qt::KeyboardModifiers modifiers)
{
    m_chosen = cell;
    update();
    const bool add = modifiers.testFlag(Qt::ShiftModifier);
    Q_EMIT cellChosen(cell.first, cell.second, add ? SetOperation::Add : SetOperation::Replace);
}

void ConfusionWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    m_layout.paint(painter, devicePixelRatioF());
    if (m_hoveredHead && !m_cell)
    {
        for (std::int64_t i = 0; i < m_layout.classes(); ++i)
        {
            if (m_layout.headOf(i) != *m_hoveredHead)
                continue;
            const QRectF own = m_layout.cellRect({i, i});
            painter.setPen(QPen(Theme::instance().colors().accent, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(m_layout.plot().left(), own.top(), m_layout.plot().width(), own.height()));
            painter.drawRect(QRectF(own.left(), m_layout.plot().top(), own.width(), m_layout.plot().height()));
        }
    }
    if (hasFocus() && !m_cell && m_layout.classes() > 0)
    {
        painter.setPen(QPen(Theme::instance().colors().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_layout.plot());
    }
    if (m_chosen)
        m_layout.paintFrame(painter, *m_chosen);
    if (m_cell)
        m_layout.paintFrame(painter, *m_cell);
}

} // namespace headscope::ui
