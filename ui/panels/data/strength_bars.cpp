// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/strength_bars.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{

StrengthBars::StrengthBars()
    : Picture({.name = "strengthBars",
               .saying = viz::Saying::TooltipAtRest,
               .focus = Qt::TabFocus,
               .keysChoose = true,
               .items = viz::Items::Listed,
               .room = viz::Room::Line,
               .wanted = {200, 64},
               .least = {80, 64}})
{}

QString StrengthBars::title() const
{
    return tr("Norm by %1").arg(unitText(m_stage));
}

QString StrengthBars::summary() const
{
    return tr("A bar for each %1. Arrow keys move, Return shows the %1.").arg(unitText(m_stage));
}

void StrengthBars::setStrengths(std::vector<float> strengths, std::vector<double> topShares, Stage stage,
                                const viz::HeadPalette& palette)
{
    m_strengths = std::move(strengths);
    m_topShares = std::move(topShares);
    m_stage = stage;
    m_palette = palette;
    m_most = 0;
    for (const float value : m_strengths)
        if (std::isfinite(value))
            m_most = std::max(m_most, value);
    replaced();
}

void StrengthBars::setCurrent(std::optional<std::int64_t> head)
{
    m_current = head;
    marked();
}

QRectF StrengthBars::columnOf(std::size_t head) const
{
    const auto width = static_cast<std::size_t>(box().width());
    const auto left = static_cast<double>(head * width / count());
    const auto right = static_cast<double>((head + 1) * width / count());
    return {left, 0, right - left, box().height()};
}

QRectF StrengthBars::placeOf(std::size_t head) const
{
    const QRectF column = columnOf(head);
    const float value = m_strengths[head];
    const double tall = std::isfinite(value) && m_most > 0
                            ? std::max(1.0, (column.height() - 2.0) * static_cast<double>(value / m_most))
                            : 0;
    const double gap = column.width() > 4 ? 1 : 0;
    return {column.left(), column.height() - tall, column.width() - gap, tall};
}

std::optional<std::size_t> StrengthBars::itemAt(QPointF place) const
{
    for (std::size_t head = 0; head < count(); ++head)
        if (columnOf(head).contains(place))
            return head;
    return std::nullopt;
}

viz::ItemText StrengthBars::textOf(std::size_t head) const
{
    QString text = unitText(m_stage, HeadIndex(static_cast<std::int64_t>(head))) % QStringLiteral(": ") %
                   numberText(static_cast<double>(m_strengths[head]));
    if (head < m_topShares.size() && std::isfinite(m_strengths[head]))
        text += tr(", top %1%").arg(std::max(1, static_cast<int>(std::ceil(100 * m_topShares[head]))));
    return {.title = text};
}

std::optional<std::size_t> StrengthBars::standing() const
{
    return m_current && *m_current < std::ssize(m_strengths) ? std::optional(static_cast<std::size_t>(*m_current))
                                                             : std::nullopt;
}

std::optional<std::size_t> StrengthBars::next(std::optional<std::size_t> /*from*/, viz::Step step) const
{
    const auto current = standing();
    const bool isLeft = step == viz::Step::Left;
    if (step == viz::Step::Last || (isLeft && !current))
        return count() - 1;
    if (step == viz::Step::First || (step == viz::Step::Right && !current))
        return 0;
    return isLeft || step == viz::Step::Right ? viz::nextCell(*current, step, 1, count()) : std::nullopt;
}

void StrengthBars::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    const Colors& colors = Theme::instance().colors();
    const auto bottom = static_cast<int>(box().height());
    for (std::size_t head = 0; head < count(); ++head)
    {
        painter.fillRect(placeOf(head), m_palette.color(HeadIndex(static_cast<std::int64_t>(head))));
        if (standing() == head)
        {
            const QRectF column = columnOf(head);
            painter.fillRect(QRectF(column.left(), bottom - 2, column.width() - 1, 2), colors.text);
        }
    }
    painter.setPen(marks.hasFocus ? colors.accent : colors.hairline);
    painter.drawLine(0, bottom - 1, static_cast<int>(box().width()), bottom - 1);
}

} // namespace headscope::ui
