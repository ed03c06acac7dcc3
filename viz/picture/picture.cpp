// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/picture/picture.h"

#include <algorithm>

namespace headscope::viz
{

Picture::~Picture() = default;

void Picture::layOut(const QRectF& box, InkTheme theme)
{
    m_box = box;
    m_theme = theme;
    arrange();
}

ItemText Picture::textAt(QPointF /*place*/, std::size_t item) const
{
    return textOf(item);
}

std::optional<std::size_t> Picture::next(std::optional<std::size_t> from, Step step) const
{
    return nextAround(from ? from : standing(), step, count());
}

void Picture::tell(Change change) const
{
    if (m_listener)
        m_listener(change);
}

QPoint directionOf(Step step)
{
    const int x = step == Step::Left ? -1 : step == Step::Right ? 1 : 0;
    const int y = step == Step::Up ? -1 : step == Step::Down ? 1 : 0;
    return {x, y};
}

std::optional<std::size_t> nextAround(std::optional<std::size_t> from, Step step, std::size_t count)
{
    const QPoint way = directionOf(step);
    if (count == 0 || way.isNull())
        return std::nullopt;
    return from ? (*from + (way.x() + way.y() > 0 ? 1 : count - 1)) % count : 0;
}

std::optional<std::size_t> nextCell(std::size_t from, Step step, std::size_t rows, std::size_t columns)
{
    const QPoint way = directionOf(step);
    if (way.isNull())
        return std::nullopt;
    const auto along = [](std::size_t at, int by, std::size_t count) {
        return by < 0 ? at - std::min<std::size_t>(1, at) : std::min(count - 1, at + static_cast<std::size_t>(by));
    };
    return along(from / columns, way.y(), rows) * columns + along(from % columns, way.x(), columns);
}

} // namespace headscope::viz
