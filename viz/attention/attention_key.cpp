// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/attention_key.h"

#include "viz/attention/shown_weights.h"
#include "viz/axis/text.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr int kBar = 84;
constexpr double kGap = 14;
constexpr double kClose = 5;

/// Paints from `x` on, or only measures; where the next thing goes.
class Line
{
public:
    Line(QPainter* painter, QPointF corner, const AttentionKey& key)
        : m_painter(painter), m_key(key), m_font(textFont(key.textPx)), m_height(std::ceil(lineHeight(m_font))),
          m_x(corner.x()), m_top(corner.y())
    {}

    [[nodiscard]] double x() const { return m_x; }
    [[nodiscard]] double height() const { return m_height; }

    void text(const QString& words)
    {
        const double width = std::ceil(textWidth(words, m_font)) + 1;
        if (m_painter != nullptr)
            drawLine(*m_painter, {m_x, m_top, width, m_height}, words, m_font, inks(m_key.theme).secondary);
        m_x += width;
    }
    void space(double width) { m_x += width; }
    void swatch(const QColor& color)
    {
        const double side = std::round(0.72 * m_height);
        if (m_painter != nullptr)
            m_painter->fillRect(QRectF(m_x, m_top + std::round((m_height - side) / 2), side, side), color);
        m_x += side + kClose;
    }
    /// Steps of the scale, which are shapes on paper too.
    void bar(bool squareRoots)
    {
        const double side = std::round(0.62 * m_height);
        const double top = m_top + std::round((m_height - side) / 2);
        constexpr int kSteps = 42;
        for (int step = 0; m_painter != nullptr && step < kSteps; ++step)
        {
            const double t = (step + 0.5) / kSteps;
            // The map is of square roots: the bar is even in what it stands for.
            const QColor color(attentionMap(m_key.theme).at(squareRoots ? attentionPlace(t) : t));
            m_painter->fillRect(QRectF(m_x + step * kBar / kSteps, top, kBar / kSteps, side), color);
        }
        if (m_painter != nullptr)
        {
            m_painter->setPen(QPen(inks(m_key.theme).hairline, 1));
            m_painter->setBrush(Qt::NoBrush);
            m_painter->drawRect(QRectF(m_x - 0.5, top - 0.5, kBar + 1, side + 1));
        }
        m_x += kBar + kClose;
    }

private:
    QPainter* m_painter;
    const AttentionKey& m_key;
    QFont m_font;
    double m_height;
    double m_x;
    double m_top;
};

void layOut(Line& line, const AttentionKey& key)
{
    if (key.limits)
    {
        line.text(key.measure);
        line.space(2 * kClose);
        line.text(shortNumber(key.limits->low));
        line.space(kClose);
        line.bar(false);
        line.text(shortNumber(key.limits->high));
        line.space(key.shares ? 2 * kGap : 0);
    }
    if (!key.shares)
        return;
    line.text(key.takenOut ? QStringLiteral("share without the first token") : QStringLiteral("share of the row"));
    line.space(2 * kClose);
    line.text(QStringLiteral("0"));
    line.space(kClose);
    line.bar(true);
    line.text(QStringLiteral("1"));
    if (key.takenOut)
    {
        line.space(kGap);
        line.swatch(takenOutColor(key.theme));
        line.text(QStringLiteral("first token"));
    }
    if (key.unwritten)
    {
        line.space(kGap);
        line.swatch(unwrittenColor(key.theme));
        line.text(QStringLiteral("future token"));
    }
}

} // namespace

QSizeF attentionKeySize(const AttentionKey& key)
{
    Line line(nullptr, {}, key);
    layOut(line, key);
    return {line.x(), line.height()};
}

void paintAttentionKey(QPainter& painter, QPointF corner, const AttentionKey& key)
{
    painter.save();
    Line line(&painter, corner, key);
    layOut(line, key);
    painter.restore();
}

QString attentionKeyText(const AttentionKey& key)
{
    QStringList parts;
    if (key.limits)
        parts << QStringLiteral("%1 from %2 to %3")
                     .arg(key.measure, shortNumber(key.limits->low), shortNumber(key.limits->high));
    if (key.shares)
        parts << (key.takenOut ? QStringLiteral(
                                     "weight renormalized without the first token, 0 to 1, colour scale by square root")
                               : QStringLiteral("attention weight, 0 to 1, colour scale by square root"));
    if (key.shares && key.takenOut)
        parts << QStringLiteral("grey column: first token");
    if (key.shares && key.unwritten)
        parts << QStringLiteral("grey triangle: future tokens (masked)");
    return parts.join(QStringLiteral("; "));
}

} // namespace headscope::viz
