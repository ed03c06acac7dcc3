// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/strength_bars.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{

StrengthBars::StrengthBars(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("strengthBars"));
    setAccessibleName(tr("Strength by head"));
    setAccessibleDescription(tr("A bar for each head; arrows move, Return shows the head"));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    onThemeChange(this, [this] { update(); });
}

void StrengthBars::setStrengths(std::vector<float> strengths, std::vector<double> topShares, Stage stage,
                                const viz::HeadPalette& palette)
{
    m_strengths = std::move(strengths);
    m_topShares = std::move(topShares);
    m_stage = stage;
    setAccessibleName(tr("Strength by %1").arg(unitText(stage)));
    setAccessibleDescription(tr("A bar for each %1; arrows move, Return shows the %1").arg(unitText(stage)));
    m_palette = palette;
    m_most = 0;
    for (const float value : m_strengths)
        if (std::isfinite(value))
            m_most = std::max(m_most, value);
    update();
}

void StrengthBars::setCurrent(std::optional<std::int64_t> head)
{
    m_current = head;
    update();
}

QRectF StrengthBars::columnRect(std::int64_t head) const
{
    const auto count = static_cast<std::int64_t>(m_strengths.size());
    const auto left = static_cast<double>(head * width() / count);
    const auto right = static_cast<double>((head + 1) * width() / count);
    return {left, 0, right - left, static_cast<double>(height())};
}

QRectF StrengthBars::barRect(std::int64_t head) const
{
    const QRectF column = columnRect(head);
    const float value = m_strengths[static_cast<std::size_t>(head)];
    const double tall =
        std::isfinite(value) && m_most > 0 ? std::max(1.0, (height() - 2.0) * static_cast<double>(value / m_most)) : 0;
    const double gap = column.width() > 4 ? 1 : 0;
    return {column.left(), height() - tall, column.width() - gap, tall};
}

std::optional<std::int64_t> StrengthBars::headAt(QPoint place) const
{
    const auto count = static_cast<std::int64_t>(m_strengths.size());
    for (std::int64_t head = 0; head < count; ++head)
        if (columnRect(head).contains(place))
            return head;
    return std::nullopt;
}

QString StrengthBars::barText(std::int64_t head) const
{
    const auto index = static_cast<std::size_t>(head);
    QString text =
        unitText(m_stage, HeadIndex(head)) % QStringLiteral(": ") % numberText(static_cast<double>(m_strengths[index]));
    if (index < m_topShares.size() && std::isfinite(m_strengths[index]))
        text += tr(", top %1 %").arg(std::max(1, static_cast<int>(std::ceil(100 * m_topShares[index]))));
    return text;
}

void StrengthBars::mousePressEvent(QMouseEvent* event)
{
    if (const auto head = headAt(event->pos()); head && event->button() == Qt::LeftButton)
        Q_EMIT headClicked(HeadIndex(*head));
}

void StrengthBars::keyPressEvent(QKeyEvent* event)
{
    const auto last = static_cast<std::int64_t>(m_strengths.size()) - 1;
    std::int64_t head = m_current.value_or(-1);
    switch (event->key())
    {
    case Qt::Key_Left:
        head = m_current ? head - 1 : last;
        break;
    case Qt::Key_Right:
        ++head;
        break;
    case Qt::Key_Home:
        head = 0;
        break;
    case Qt::Key_End:
        head = last;
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    if (last >= 0)
        Q_EMIT headClicked(HeadIndex(std::clamp<std::int64_t>(head, 0, last)));
}

bool StrengthBars::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip)
    {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto head = headAt(help->pos());
        QToolTip::showText(help->globalPos(), head ? barText(*head) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

void StrengthBars::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    const auto count = static_cast<std::int64_t>(m_strengths.size());
    for (std::int64_t head = 0; head < count; ++head)
    {
        painter.fillRect(barRect(head), m_palette.color(HeadIndex(head)));
        if (m_current == head)
        {
            const QRectF column = columnRect(head);
            painter.fillRect(QRectF(column.left(), height() - 2, column.width() - 1, 2), colors.text);
        }
    }
    painter.setPen(hasFocus() ? colors.accent : colors.hairline);
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace headscope::ui
