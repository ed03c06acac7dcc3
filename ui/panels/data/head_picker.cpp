// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/head_picker.h"

#include "model/data/key_sharing.h"
#include "ui/theme/focus_ring.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kLineHeight = 22;
constexpr int kCellHeight = 18;
constexpr int kGap = 2;
constexpr int kMaxColumns = 8;
constexpr int kRingRoom = 3; ///< of the ring, left of the cells

int labelWidth(std::int64_t groups)
{
    return groups >= 100 ? 44 : groups >= 10 ? 36 : 32;
}

} // namespace

HeadPicker::HeadPicker(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("headPicker"));
    setAccessibleName(tr("Heads"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    onThemeChange(this, [this] { update(); });
}

void HeadPicker::setModel(const ModelInfo& info)
{
    m_info = info;
    const auto members = static_cast<int>(std::max<std::int64_t>(1, info.groupSize()));
    // Groups of one head would make a tall, thin column: eight of them share a line.
    m_headsPerRow = members == 1 ? kMaxColumns : members;
    m_columns = std::min(m_headsPerRow, kMaxColumns);
    m_chosen.assign(static_cast<std::size_t>(std::max<std::int64_t>(0, info.heads)), 1);
    m_focus = m_anchor = 0;
    m_hovered.reset();
    m_hoveredRow.reset();
    setProperty(FocusRing::kLeftProperty, labelWidth(m_info.kvHeads) - kRingRoom);
    updateGeometry();
    setStage(m_stage);
    Q_EMIT headsChanged(heads());
}

QString HeadPicker::rowName(std::int64_t head) const
{
    if (hasKvGroups(m_info, m_stage))
        return viz::groupName(m_info.groupOf(HeadIndex(head)), m_info.groupSize());
    const std::int64_t first = head - head % m_headsPerRow;
    const std::int64_t last = std::min(first + m_headsPerRow, headCount()) - 1;
    return tr("%1–%2").arg(first + 1).arg(last + 1);
}

void HeadPicker::setHeadPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    update();
}

void HeadPicker::setStage(Stage stage)
{
    m_stage = stage;
    setAccessibleName(unitsTitle(stage));
    setAccessibleDescription(hasKvGroups(m_info, stage)
                                 ? tr("Rows are KV groups. Arrow keys move, Space selects, Shift selects several.")
                                 : tr("Arrow keys move, Space selects, Shift selects several."));
    update();
}

std::vector<std::int64_t> HeadPicker::heads() const
{
    std::vector<std::int64_t> result;
    for (std::size_t head = 0; head < m_chosen.size(); ++head)
        if (m_chosen[head] != 0)
            result.push_back(static_cast<std::int64_t>(head));
    return result;
}

void HeadPicker::setHeads(const std::vector<std::int64_t>& heads)
{
    std::vector<char> chosen(m_chosen.size(), 0);
    for (const std::int64_t head : heads)
        if (head >= 0 && head < headCount())
            chosen[static_cast<std::size_t>(head)] = 1;
    commit(std::move(chosen));
}

void HeadPicker::chooseAll()
{
    commit(std::vector<char>(m_chosen.size(), 1));
    Q_EMIT allAsked();
}

void HeadPicker::chooseNone()
{
    commit(std::vector<char>(m_chosen.size(), 0));
}

void HeadPicker::invert()
{
    std::vector<char> chosen = m_chosen;
    for (char& head : chosen)
        head ^= 1;
    commit(std::move(chosen));
}

void HeadPicker::commit(std::vector<char> chosen)
{
    if (chosen == m_chosen)
        return;
    m_chosen = std::move(chosen);
    update();
    Q_EMIT headsChanged(heads());
}

int HeadPicker::lines() const
{
    const int linesPerRow = (m_headsPerRow + m_columns - 1) / m_columns;
    const int rows = (static_cast<int>(m_chosen.size()) + m_headsPerRow - 1) / m_headsPerRow;
    return rows * linesPerRow;
}

QSize HeadPicker::sizeHint() const
{
    return {labelWidth(m_info.kvHeads) + m_columns * 44, std::max(1, lines()) * kLineHeight};
}

QSize HeadPicker::minimumSizeHint() const
{
    return {labelWidth(m_info.kvHeads) + m_columns * 22, std::max(1, lines()) * kLineHeight};
}

QRect HeadPicker::cellRect(std::int64_t head) const
{
    const int linesPerRow = (m_headsPerRow + m_columns - 1) / m_columns;
    const int row = static_cast<int>(head) / m_headsPerRow;
    const int inRow = static_cast<int>(head) % m_headsPerRow;
    const int line = row * linesPerRow + inRow / m_columns;
    const int column = inRow % m_columns;
    const int left = labelWidth(m_info.kvHeads);
    const int space = width() - left + kGap;
    const int x0 = left + column * space / m_columns;
    const int x1 = left + (column + 1) * space / m_columns - kGap;
    return {x0, line * kLineHeight + (kLineHeight - kCellHeight) / 2, x1 - x0, kCellHeight};
}

QRect HeadPicker::labelRect(std::int64_t head) const
{
    const QRect cell = cellRect(head - head % m_headsPerRow);
    return {0, cell.top(), labelWidth(m_info.kvHeads) - kGap, cell.height()};
}

std::optional<std::int64_t> HeadPicker::headAt(QPoint place) const
{
    for (std::int64_t head = 0; head < headCount(); ++head)
        if (cellRect(head).adjusted(0, -2, kGap, 2).contains(place))
            return head;
    return std::nullopt;
}

std::optional<std::int64_t> HeadPicker::rowAt(QPoint place) const
{
    for (std::int64_t head = 0; head < headCount(); head += m_headsPerRow)
        if (labelRect(head).adjusted(0, -2, 0, 2).contains(place))
            return head;
    return std::nullopt;
}

std::vector<std::int64_t> HeadPicker::rowHeads(std::int64_t first) const
{
    std::vector<std::int64_t> result;
    for (std::int64_t head = first; head < std::min(first + m_headsPerRow, headCount()); ++head)
        result.push_back(head);
    return result;
}

void HeadPicker::chooseOnly(const std::vector<std::int64_t>& heads, bool add)
{
    std::vector<char> chosen = add ? m_chosen : std::vector<char>(m_chosen.size(), 0);
    for (const std::int64_t head : heads)
        chosen[static_cast<std::size_t>(head)] = 1;
    // Choosing what is already the only choice gives all back.
    if (!add && chosen == m_chosen)
        std::fill(chosen.begin(), chosen.end(), 1);
    commit(std::move(chosen));
}

void HeadPicker::dragTo(std::int64_t head)
{
    const bool add = m_pressModifiers.testFlag(Qt::ControlModifier);
    std::vector<char> chosen = add ? m_before : std::vector<char>(m_chosen.size(), 0);
    for (std::int64_t h = std::min(m_anchor, head); h <= std::max(m_anchor, head); ++h)
        chosen[static_cast<std::size_t>(h)] = 1;
    commit(std::move(chosen));
}

void HeadPicker::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_showFocus = false;
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (const auto row = rowAt(event->pos()))
    {
        chooseOnly(rowHeads(*row), control);
        return;
    }
    const auto head = headAt(event->pos());
    if (!head)
        return;
    m_pressModifiers = event->modifiers();
    m_before = m_chosen;
    m_pressed = true;
    m_dragged = false;
    m_focus = *head;
    if (event->modifiers().testFlag(Qt::ShiftModifier))
    {
        m_dragged = true;
        dragTo(*head);
        return;
    }
    m_anchor = *head;
    update();
}

void HeadPicker::mouseMoveEvent(QMouseEvent* event)
{
    const auto head = headAt(event->pos());
    const auto row = head ? std::nullopt : rowAt(event->pos());
    if (m_pressed && head && (m_dragged || *head != m_anchor))
    {
        m_dragged = true;
        m_focus = *head;
        dragTo(*head);
    }
    if (head != m_hovered || row != m_hoveredRow)
    {
        m_hovered = head;
        m_hoveredRow = row;
        setCursor(head || row ? Qt::PointingHandCursor : Qt::ArrowCursor);
        update();
    }
}

void HeadPicker::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    m_pressed = false;
    if (m_dragged)
        return;
    if (m_pressModifiers.testFlag(Qt::ControlModifier))
    {
        std::vector<char> chosen = m_chosen;
        chosen[static_cast<std::size_t>(m_anchor)] ^= 1;
        commit(std::move(chosen));
    }
    else
    {
        chooseOnly({m_anchor}, false);
    }
}

void HeadPicker::moveFocus(std::int64_t step)
{
    if (headCount() == 0)
        return;
    m_showFocus = true;
    m_focus = std::clamp<std::int64_t>(m_focus + step, 0, headCount() - 1);
    update();
}

void HeadPicker::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::SelectAll))
        return chooseAll();
    switch (event->key())
    {
    case Qt::Key_Left:
        return moveFocus(-1);
    case Qt::Key_Right:
        return moveFocus(1);
    case Qt::Key_Up:
        return moveFocus(-m_columns);
    case Qt::Key_Down:
        return moveFocus(m_columns);
    case Qt::Key_Space:
        if (m_focus < headCount())
        {
            std::vector<char> chosen = m_chosen;
            chosen[static_cast<std::size_t>(m_focus)] ^= 1;
            commit(std::move(chosen));
        }
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_focus < headCount())
            chooseOnly({m_focus}, false);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool HeadPicker::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip)
    {
        const auto* help = static_cast<QHelpEvent*>(event);
        QString text;
        if (const auto head = headAt(help->pos()))
            text = (hasKvGroups(m_info, m_stage) ? tr("%1, KV group %2")
                                                       .arg(unitText(m_stage, HeadIndex(*head)))
                                                       .arg(shownNumber(m_info.groupOf(HeadIndex(*head))))
                                                 : unitText(m_stage, HeadIndex(*head))) %
                   tr("\nClick: select only this · Ctrl+click: add or remove · drag: select a range");
        else if (const auto row = rowAt(help->pos()))
            text = hasKvGroups(m_info, m_stage)
                       ? tr("KV group %1: click to select only its heads, Ctrl+click to add them")
                             .arg(shownNumber(m_info.groupOf(HeadIndex(*row))))
                       : tr("%1 %2: click to select only these, Ctrl+click to add them")
                             .arg(unitsTitle(m_stage), rowName(*row));
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

void HeadPicker::focusInEvent(QFocusEvent* event)
{
    m_showFocus = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason;
    update();
    QWidget::focusInEvent(event);
}

void HeadPicker::leaveEvent(QEvent* event)
{
    m_hovered.reset();
    m_hoveredRow.reset();
    update();
    QWidget::leaveEvent(event);
}

void HeadPicker::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::int64_t head = 0; head < headCount(); ++head)
    {
        if (head % m_headsPerRow == 0)
        {
            painter.setFont(Theme::smallFont());
            painter.setPen(m_hoveredRow == head ? colors.text : colors.muted);
            painter.drawText(labelRect(head), Qt::AlignLeft | Qt::AlignVCenter, rowName(head));
        }
        const QRectF cell = cellRect(head);
        const QColor full = m_palette.color(HeadIndex(head));
        const bool chosen = m_chosen[static_cast<std::size_t>(head)] != 0;
        QColor fill = full;
        if (!chosen)
            fill.setAlphaF(m_hovered == head ? 0.35F : 0.15F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(cell, 3, 3);
        if (chosen && m_hovered == head)
        {
            painter.setBrush(QColor(255, 255, 255, 40));
            painter.drawRoundedRect(cell, 3, 3);
        }
        painter.setFont(Theme::cellFont());
        painter.setPen(chosen ? m_palette.textColor(HeadIndex(head)) : colors.muted);
        painter.drawText(cell, Qt::AlignCenter, QString::number(shownNumber(HeadIndex(head))));
        if (hasFocus() && m_showFocus && head == m_focus)
        {
            painter.setPen(QPen(colors.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(cell.adjusted(-1, -1, 1, 1), 4, 4);
        }
    }
}

} // namespace headscope::ui
