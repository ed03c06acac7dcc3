// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/layer_strip.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <iterator>

namespace headscope::ui
{

LayerStrip::LayerStrip()
    : Picture({.name = "layerStrip",
               .saying = viz::Saying::Hint,
               .focus = Qt::TabFocus,
               .keysChoose = true,
               .items = viz::Items::Radios,
               .room = viz::Room::Line,
               .wanted = {160, 24},
               .least = {80, 24}})
{}

QString LayerStrip::summary() const
{
    return tr("Left and Right go to the previous and next layer in the cache");
}

void LayerStrip::setLayers(std::int64_t layers, const std::set<std::int64_t>& held)
{
    m_layers = layers;
    m_held = held;
    replaced();
}

void LayerStrip::setCurrent(LayerIndex layer)
{
    if (!m_held.contains(layer.value()))
        return;
    m_current = layer;
    marked();
}

QRectF LayerStrip::placeOf(std::size_t layer) const
{
    const auto at = static_cast<std::int64_t>(layer);
    const auto width = static_cast<std::int64_t>(box().width());
    const auto left = static_cast<double>(at * width / m_layers);
    return {left, 0, static_cast<double>((at + 1) * width / m_layers) - left, box().height()};
}

std::optional<std::size_t> LayerStrip::itemAt(QPointF place) const
{
    for (std::size_t layer = 0; layer < count(); ++layer)
        if (placeOf(layer).contains(place))
            return layer;
    return std::nullopt;
}

viz::ItemText LayerStrip::textOf(std::size_t layer) const
{
    return {.title = isClickable(layer) ? tr("Layer %1").arg(layer) : tr("Layer %1 is not in this cache").arg(layer)};
}

bool LayerStrip::isClickable(std::size_t layer) const
{
    return m_held.contains(static_cast<std::int64_t>(layer));
}

std::optional<std::size_t> LayerStrip::standing() const
{
    return m_held.contains(m_current.value()) ? std::optional(m_current.index()) : std::nullopt;
}

std::optional<std::size_t> LayerStrip::next(std::optional<std::size_t> /*from*/, viz::Step step) const
{
    auto here = m_held.find(m_current.value());
    if (here == m_held.end() || (step != viz::Step::Left && step != viz::Step::Right))
        return std::nullopt;
    if (step == viz::Step::Right && std::next(here) != m_held.end())
        ++here;
    else if (step == viz::Step::Left && here != m_held.begin())
        --here;
    return static_cast<std::size_t>(*here);
}

void LayerStrip::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    const Colors& colors = Theme::instance().colors();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (std::size_t layer = 0; layer < count(); ++layer)
    {
        const bool isHeld = isClickable(layer);
        const bool isCurrent = standing() == layer;
        QRectF bar = placeOf(layer).adjusted(0, 0, m_layers > 60 ? -1 : -2, 0);
        if (!isHeld)
            bar.setTop(bar.bottom() - 8);
        painter.setBrush(isCurrent                ? colors.accent
                         : !isHeld                ? colors.track
                         : marks.pointed == layer ? colors.text
                                                  : colors.muted);
        painter.drawRoundedRect(bar, 2, 2);
        if (isCurrent && marks.hasFocus)
        {
            painter.setBrush(colors.text);
            painter.drawRect(QRectF(bar.left(), bar.bottom() - 2, bar.width(), 2));
        }
    }
}

} // namespace headscope::ui
