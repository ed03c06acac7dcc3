// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/atlas_picture.h"

#include "app/views/atlas/atlas_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <utility>

namespace headscope::ui
{

AtlasPicture::AtlasPicture()
    : Picture({.name = "atlasCanvas",
               .saying = viz::Saying::Picture,
               .hasGround = true,
               .hasFrame = true,
               .room = viz::Room::Grows,
               .least = {320, 240}})
{}

QString AtlasPicture::summary() const
{
    return tr("Arrow keys go from head to head. Return selects the head in all views. Dragging marks several heads.");
}

void AtlasPicture::setMeasures(std::shared_ptr<const HeadMeasures> measures)
{
    m_measures = std::move(measures);
    if (m_measures != nullptr)
        return;
    m_dots = {};
    m_cells = {};
    m_marks = {};
    replaced();
}

void AtlasPicture::setDots(viz::HeadDots dots)
{
    m_dots = std::move(dots);
    replaced();
}

void AtlasPicture::setGrid(viz::HeadGrid grid)
{
    m_cells = std::move(grid);
    replaced();
}

void AtlasPicture::setForm(Form form)
{
    m_form = form;
    replaced();
}

void AtlasPicture::setMarks(const viz::HeadMarks& marks)
{
    const auto hovered = m_marks.hovered;
    m_marks = marks;
    m_marks.hovered = hovered;
    marked();
}

void AtlasPicture::setHovered(std::optional<HeadPlace> head)
{
    if (head == m_marks.hovered)
        return;
    m_marks.hovered = head;
    marked();
}

void AtlasPicture::setLasso(const QPolygonF& outline)
{
    m_lasso = outline;
    marked();
}

void AtlasPicture::arrange()
{
    const viz::ChartStyle style{theme(), static_cast<double>(Theme::bodyFont().pixelSize())};
    const QRectF inside = box().adjusted(16, 12, -12, -8);
    if (m_form == Form::Dots)
        m_scatter = viz::HeadScatterLayout(m_dots, inside, style);
    else
        m_grid = viz::HeadGridLayout(m_cells, inside, style);
}

std::size_t AtlasPicture::count() const
{
    if (m_measures == nullptr)
        return 0;
    return m_form == Form::Dots ? m_dots.dots.size() : static_cast<std::size_t>(m_cells.layers * m_cells.heads);
}

HeadPlace AtlasPicture::headOf(std::size_t item) const
{
    if (m_form == Form::Dots)
        return m_dots.dots[item].head;
    const auto cell = static_cast<std::int64_t>(item);
    return {cell / m_cells.heads, cell % m_cells.heads};
}

std::optional<std::size_t> AtlasPicture::itemOf(const std::optional<HeadPlace>& head) const
{
    if (!head || count() == 0)
        return std::nullopt;
    if (m_form == Form::Dots)
        return m_dots.indexOf(*head);
    const auto item = static_cast<std::size_t>(head->layer * m_cells.heads + head->head);
    return item < count() ? std::optional(item) : std::nullopt;
}

QColor AtlasPicture::colorOf(const HeadPlace& head) const
{
    const viz::HeadColors& colors = m_form == Form::Dots ? m_dots.colors : m_cells.colors;
    return QColor::fromRgb(colors.colors[colors.indexOf(head)]);
}

std::vector<HeadPlace> AtlasPicture::headsIn(const QPolygonF& outline) const
{
    if (m_form == Form::Grid)
        return m_grid.headsIn(outline);
    std::vector<HeadPlace> heads;
    for (const std::size_t dot : m_scatter.dotsIn(outline))
        heads.push_back(m_dots.dots[dot].head);
    return heads;
}

std::optional<std::size_t> AtlasPicture::itemAt(QPointF place) const
{
    if (count() == 0)
        return std::nullopt;
    return m_form == Form::Grid ? itemOf(m_grid.headAt(place)) : m_scatter.dotAt(place);
}

QRectF AtlasPicture::placeOf(std::size_t item) const
{
    return m_form == Form::Grid ? m_grid.rectOf(headOf(item)) : QRectF(m_scatter.placeOf(item), QSizeF(0, 0));
}

viz::ItemText AtlasPicture::textOf(std::size_t item) const
{
    return {.title = cardText(*m_measures, headOf(item))};
}

/// Where keys begin: at a chosen head, else in the layer that is shown.
std::size_t AtlasPicture::first() const
{
    const auto chosen = m_marks.chosen.empty() ? std::nullopt : itemOf(m_marks.chosen.front());
    if (m_form == Form::Dots)
        return chosen.value_or(0);
    return chosen ? *chosen : itemOf(HeadPlace{m_marks.layer.value_or(0), 0}).value_or(0);
}

std::optional<std::size_t> AtlasPicture::next(std::optional<std::size_t> from, viz::Step step) const
{
    const QPoint way = viz::directionOf(step);
    if (way.isNull())
        return std::nullopt;
    if (!from)
        from = standing();
    if (!from)
        return first();
    if (m_form == Form::Grid)
        return itemOf(m_grid.headBeside(headOf(*from), way.x(), way.y()));
    return m_scatter.dotBeside(*from, QPointF(way)).value_or(*from);
}

void AtlasPicture::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    viz::HeadMarks shown = m_marks;
    if (marks.pointed)
        shown.hovered = headOf(*marks.pointed);
    if (m_measures != nullptr)
    {
        if (m_form == Form::Dots)
            m_scatter.paint(painter, shown);
        else
            m_grid.paint(painter, shown);
    }
    if (m_lasso.isEmpty())
        return;
    const QColor accent = Theme::instance().colors().accent;
    QColor fill = accent;
    fill.setAlpha(36);
    QPainterPath path;
    path.addPolygon(m_lasso);
    path.closeSubpath();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(accent, 1));
    painter.setBrush(fill);
    painter.drawPath(path);
}

} // namespace headscope::ui
