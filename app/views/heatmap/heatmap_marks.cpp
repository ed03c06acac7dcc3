// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_marks.h"

#include "ui/theme/theme.h"
#include "viz/heatmap/heatmap_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

class MarkPainter
{
public:
    MarkPainter(QPainter& painter, const HeatmapStack& stack, const HeatmapMarks& marks)
        : m_painter(painter), m_stack(stack), m_marks(marks)
    {}

    void paint()
    {
        m_painter.setRenderHint(QPainter::Antialiasing);
        litHeads();
        if (m_marks.primary)
            frameDocument(*m_marks.primary);
        if (m_marks.hover)
            crosshair();
        else
        {
            if (m_marks.hoveredDocument)
                frameDocument(*m_marks.hoveredDocument);
            if (m_marks.hoveredHead)
                frameHead(*m_marks.hoveredHead);
        }
        if (m_marks.band && !m_stack.empty())
            band(m_marks.band->first, m_marks.band->second);
    }

private:
    void crosshair();
    void frameDocument(DocumentIndex document);
    void frameHead(HeadIndex head);
    void litHeads();
    void band(double from, double to);
    void frame(const QRectF& cell) { viz::paintCellFrame(m_painter, m_stack.layouts().front().style().theme, cell); }

    QPainter& m_painter;
    const HeatmapStack& m_stack;
    const HeatmapMarks& m_marks;
};

void MarkPainter::crosshair()
{
    const viz::HeatmapLayout& layout = m_stack.layout(m_marks.hover->heatmap);
    const QRectF plot = layout.plot();
    const QRectF cell = layout.cellRect(m_marks.hover->cell);
    // Lines end before the cell, which keeps its colours.
    constexpr double kFree = 4;
    QColor line = Theme::instance().colors().text;
    line.setAlpha(150);
    m_painter.setPen(QPen(line, 1));
    const double y = std::floor(cell.center().y()) + 0.5;
    m_painter.drawLine(QPointF(plot.left(), y), QPointF(std::max(plot.left(), cell.left() - kFree), y));
    m_painter.drawLine(QPointF(std::min(plot.right(), cell.right() + kFree), y), QPointF(plot.right(), y));
    const double x = std::floor(cell.center().x()) + 0.5;
    for (std::size_t i = 0; i < m_stack.layouts().size(); ++i)
    {
        const QRectF other = m_stack.layout(i).plot();
        if (i != m_marks.hover->heatmap)
        {
            m_painter.drawLine(QPointF(x, other.top()), QPointF(x, other.bottom()));
            continue;
        }
        m_painter.drawLine(QPointF(x, other.top()), QPointF(x, std::max(other.top(), cell.top() - kFree)));
        m_painter.drawLine(QPointF(x, std::min(other.bottom(), cell.bottom() + kFree)), QPointF(x, other.bottom()));
    }
    frame(cell);
}

void MarkPainter::frameDocument(DocumentIndex document)
{
    for (std::size_t i = 0; i < m_stack.layouts().size(); ++i)
    {
        const Heatmap& heatmap = m_stack.heatmap(i);
        const QRectF plot = m_stack.layout(i).plot();
        m_painter.save();
        m_painter.setClipRect(plot.adjusted(-3, -3, 3, 3));
        for (std::size_t column = 0; column < heatmap.document.size(); ++column)
        {
            if (heatmap.document[column] != document.value())
                continue;
            const auto at = static_cast<std::int64_t>(column);
            QRectF whole = m_stack.layout(i).cellRect({0, at});
            whole.setBottom(plot.bottom());
            if (whole.right() < plot.left() || whole.left() > plot.right())
                continue;
            frame(whole);
            if (m_marks.primaryHead && document == m_marks.primary &&
                m_marks.primaryHead->value() + 1 < heatmap.values.rows())
                if (const QRectF cell = m_stack.layout(i).cellRect({m_marks.primaryHead->value() + 1, at});
                    !cell.isEmpty())
                    frame(cell);
        }
        m_painter.restore();
    }
}

void MarkPainter::frameHead(HeadIndex head)
{
    const std::int64_t row = 1 + head.value();
    for (std::size_t i = 0; i < m_stack.layouts().size(); ++i)
    {
        if (row < 1 || row >= m_stack.heatmap(i).values.rows() || m_stack.layout(i).placeOfRow(row) < 0)
            continue;
        const QRectF plot = m_stack.layout(i).plot();
        m_painter.save();
        m_painter.setClipRect(plot.adjusted(-3, -3, 3, 3));
        frame(m_stack.layout(i).rowRect(row));
        m_painter.restore();
    }
}

void MarkPainter::litHeads()
{
    constexpr double kMark = 4;
    for (std::size_t i = 0; i < m_stack.layouts().size(); ++i)
    {
        const QRectF plot = m_stack.layout(i).plot();
        for (const std::int64_t head : m_marks.litHeads)
        {
            if (head < 0 || head + 1 >= m_stack.heatmap(i).values.rows() || m_stack.layout(i).placeOfRow(head + 1) < 0)
                continue;
            const QRectF row = m_stack.layout(i).rowRect(head + 1);
            if (row.center().y() > m_stack.layout(i).rowRect(0).bottom() && row.center().y() < plot.bottom())
                m_painter.fillRect(
                    QRectF(plot.right() + 3, row.top() + 0.15 * row.height(), kMark, std::max(1.0, 0.7 * row.height())),
                    Theme::instance().colors().accent);
        }
    }
}

void MarkPainter::band(double from, double to)
{
    const auto [left, right] = m_stack.band(from, to);
    const double top = m_stack.layouts().front().plot().top();
    QColor fill = Theme::instance().colors().accent;
    fill.setAlpha(40);
    m_painter.setPen(QPen(Theme::instance().colors().accent, 1));
    m_painter.setBrush(fill);
    m_painter.drawRect(QRectF(left, top, right - left, m_stack.layouts().back().plot().bottom() - top));
}

} // namespace

void paintHeatmapMarks(QPainter& painter, const HeatmapStack& stack, const HeatmapMarks& marks)
{
    MarkPainter(painter, stack, marks).paint();
}

} // namespace headscope::ui
