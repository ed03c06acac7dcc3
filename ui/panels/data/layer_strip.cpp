// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/layer_strip.h"

#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace headscope::ui
{

LayerStrip::LayerStrip(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("layerStrip"));
    setAccessibleName(tr("Layers"));
    setAccessibleDescription(tr("Left and Right go to the previous and next layer in the cache"));
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    onThemeChange(this, [this] { update(); });
}

void LayerStrip::setLayers(std::int64_t layers, const std::set<std::int64_t>& held)
{
    m_layers = layers;
    m_held = held;
    m_hovered.reset();
    update();
}

void LayerStrip::setCurrent(LayerIndex layer)
{
    if (!m_held.contains(layer.value()))
        return;
    m_current = layer;
    update();
}

QRect LayerStrip::barRect(std::int64_t layer) const
{
    if (m_layers == 0)
        return {};
    const auto left = static_cast<int>(layer * width() / m_layers);
    const auto right = static_cast<int>((layer + 1) * width() / m_layers);
    return {left, 0, right - left, height()};
}

std::optional<std::int64_t> LayerStrip::layerAt(QPoint place) const
{
    if (m_layers == 0 || !rect().contains(place))
        return std::nullopt;
    for (std::int64_t layer = 0; layer < m_layers; ++layer)
        if (barRect(layer).contains(place))
            return layer;
    return std::nullopt;
}

void LayerStrip::choose(std::int64_t layer)
{
    if (!m_held.contains(layer) || layer == m_current.value())
        return;
    m_current = LayerIndex(layer);
    update();
    Q_EMIT layerChosen(m_current);
}

void LayerStrip::mousePressEvent(QMouseEvent* event)
{
    if (const auto layer = layerAt(event->pos()); layer && event->button() == Qt::LeftButton)
        choose(*layer);
}

void LayerStrip::mouseMoveEvent(QMouseEvent* event)
{
    const auto layer = layerAt(event->pos());
    if (layer == m_hovered)
        return;
    m_hovered = layer;
    setCursor(layer && m_held.contains(*layer) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void LayerStrip::leaveEvent(QEvent* event)
{
    m_hovered.reset();
    update();
    QWidget::leaveEvent(event);
}

void LayerStrip::keyPressEvent(QKeyEvent* event)
{
    auto here = m_held.find(m_current.value());
    if (here == m_held.end() || (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right))
        return QWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_Right && std::next(here) != m_held.end())
        choose(*std::next(here));
    else if (event->key() == Qt::Key_Left && here != m_held.begin())
        choose(*std::prev(here));
}

bool LayerStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip)
    {
        const auto* help = static_cast<QHelpEvent*>(event);
        QString text;
        if (const auto layer = layerAt(help->pos()))
            text =
                m_held.contains(*layer) ? tr("Layer %1").arg(*layer) : tr("Layer %1 is not in this cache").arg(*layer);
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

void LayerStrip::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (std::int64_t layer = 0; layer < m_layers; ++layer)
    {
        const bool held = m_held.contains(layer);
        const bool current = held && layer == m_current.value();
        QRectF bar = QRectF(barRect(layer)).adjusted(0, 0, m_layers > 60 ? -1 : -2, 0);
        if (!held)
            bar.setTop(bar.bottom() - 8);
        QColor fill = current ? colors.accent : held ? colors.muted : colors.track;
        if (held && !current && m_hovered == layer)
            fill = colors.text;
        painter.setBrush(fill);
        painter.drawRoundedRect(bar, 2, 2);
        if (current && hasFocus())
        {
            painter.setBrush(colors.text);
            painter.drawRect(QRectF(bar.left(), bar.bottom() - 2, bar.width(), 2));
        }
    }
}

} // namespace headscope::ui
