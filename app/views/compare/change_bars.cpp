// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/change_bars.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/color/color_map.h"

#include <QPainter>

#include <algorithm>

namespace headscope::ui
{

ChangeBars::ChangeBars()
    : Picture({.name = "changeBars",
               .saying = viz::Saying::TooltipAtRest,
               .focus = Qt::NoFocus,
               .takesClicks = false,
               .items = viz::Items::Listed,
               .room = viz::Room::Fixed,
               .wanted = {110, 26},
               .least = {110, 26}})
{}

void ChangeBars::setDifference(const MapDifference& difference)
{
    m_difference = difference;
    m_difference.changed.clear(); // only the counts are drawn
    replaced();
}

QString ChangeBars::summary() const
{
    QStringList counts;
    for (const std::int64_t count : m_difference.histogram)
        counts << countText(count);
    return counts.isEmpty()
               ? QString()
               : tr("Number of points with 0, 1, 2, … changed neighbours: %1").arg(counts.join(QStringLiteral(", ")));
}

QRectF ChangeBars::placeOf(std::size_t bar) const
{
    const double step = box().width() / static_cast<double>(count());
    return {static_cast<double>(bar) * step, 0, step, box().height()};
}

void ChangeBars::paint(QPainter& painter, const viz::PictureMarks& /*marks*/) const
{
    const auto& counts = m_difference.histogram;
    if (counts.size() < 2)
        return;
    const Colors& colors = Theme::instance().colors();
    const viz::ColorMap map = viz::sequentialMap(theme());
    const std::int64_t most = std::max<std::int64_t>(1, *std::max_element(counts.begin(), counts.end()));
    const double height = box().height();
    const double room = height - 5;
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        if (counts[i] == 0)
            continue;
        const double high = std::max(1.0, room * static_cast<double>(counts[i]) / static_cast<double>(most));
        const QRectF place = placeOf(i);
        painter.fillRect(QRectF(place.left() + 1, height - 3 - high, place.width() - 2, high),
                         QColor(map.at(static_cast<double>(i) / static_cast<double>(counts.size() - 1))));
    }
    painter.fillRect(QRectF(0, height - 2, box().width(), 1), colors.hairline);
}

std::optional<std::size_t> ChangeBars::itemAt(QPointF place) const
{
    if (count() < 2)
        return std::nullopt;
    const auto bar = static_cast<std::int64_t>(place.x() * static_cast<double>(count()) / std::max(1.0, box().width()));
    return static_cast<std::size_t>(std::clamp<std::int64_t>(bar, 0, std::ssize(m_difference.histogram) - 1));
}

viz::ItemText ChangeBars::textOf(std::size_t bar) const
{
    return {.title = tr("%3: %1 of %2 nearest neighbours changed")
                         .arg(QString::number(bar), QString::number(m_difference.neighbors),
                              countText(m_difference.histogram[bar], tr("point"), tr("points")))};
}

} // namespace headscope::ui
