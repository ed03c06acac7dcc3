// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/card/card_writer.h"

#include "viz/axis/text.h"

#include <QPainter>

#include <algorithm>

namespace headscope::viz
{

void Writer::write(const QString& text, const QFont& font, const QColor& color, double indent, int maxLines)
{
    const double height = lineHeight(font);
    for (const QString& line : wrappedLines(text, font, m_box.width() - indent, maxLines))
    {
        if (m_painter != nullptr)
            drawLine(*m_painter, {m_box.left() + indent, m_top, m_box.width() - indent, height}, line, font, color);
        m_top += height;
    }
}

void Writer::writeBoth(const QString& left, const QFont& leftFont, const QColor& leftColor, const QString& right,
                       const QFont& rightFont, const QColor& rightColor)
{
    const double height = std::max(lineHeight(leftFont), lineHeight(rightFont));
    if (m_painter != nullptr)
    {
        // Where both are too long, the left one keeps half of the line.
        constexpr double kGap = 4;
        const double wanted = textWidth(right, rightFont) + 1;
        const double kept = std::min(textWidth(left, leftFont) + 1, m_box.width() / 2);
        const double width = std::min(wanted, m_box.width() - kGap - kept);
        drawLine(*m_painter, {m_box.left(), m_top, m_box.width() - width - kGap, height}, left, leftFont, leftColor);
        drawLine(*m_painter, {m_box.right() - width, m_top, width, height}, right, rightFont, rightColor,
                 Qt::AlignRight | Qt::AlignVCenter);
    }
    m_top += height;
}

double measured(const Written& written, double width)
{
    Writer writer(nullptr, {0, 0, width, 0});
    written(writer);
    return writer.used();
}

} // namespace headscope::viz
