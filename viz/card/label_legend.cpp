// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/card/label_legend.h"

#include "viz/axis/text.h"

#include <QPainter>

#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kLegendSquare = 5;
constexpr double kLegendBetween = 10;

} // namespace

LabelLegend::LabelLegend(std::vector<std::string> names, double textPt, InkTheme theme)
    : m_names(std::move(names)), m_textPt(textPt), m_palette(std::ssize(m_names), theme), m_theme(theme)
{}

double LabelLegend::height(double width) const
{
    double height = 0;
    walk(width,
         [&](std::size_t, const QPointF& at, const QString&) { height = at.y() + lineHeight(textFont(m_textPt)); });
    return height + 4;
}

void LabelLegend::paint(QPainter& painter, const QRectF& box) const
{
    const QFont font = textFont(m_textPt);
    const double line = lineHeight(font);
    walk(box.width(), [&](std::size_t label, const QPointF& at, const QString& text) {
        const double middle = box.top() + at.y() + line / 2;
        painter.fillRect(QRectF(box.left() + at.x(), middle - kLegendSquare / 2, kLegendSquare, kLegendSquare),
                         m_palette.color(static_cast<std::int64_t>(label)));
        drawLine(painter,
                 {box.left() + at.x() + kLegendSquare + 3, box.top() + at.y(), textWidth(text, font) + 1, line}, text,
                 font, inks(m_theme).secondary);
    });
}

void LabelLegend::walk(double width,
                       const std::function<void(std::size_t, const QPointF&, const QString&)>& visit) const
{
    const QFont font = textFont(m_textPt);
    QPointF at(0, 2);
    for (std::size_t label = 0; label < m_names.size(); ++label)
    {
        const QString text = QString::fromStdString(m_names[label]);
        const double own = kLegendSquare + 3 + textWidth(text, font);
        if (at.x() > 0 && at.x() + own > width)
            at = {0, at.y() + lineHeight(font)};
        visit(label, at, text);
        at.rx() += own + kLegendBetween;
    }
}

} // namespace headscope::viz
