// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

#include <functional>

class QPainter;

namespace headscope::viz
{

/// Text that is written line by line, down from a place.
class Writer
{
public:
    /// @param painter  null: measures alone
    Writer(QPainter* painter, const QRectF& box) : m_painter(painter), m_box(box), m_top(box.top()) {}

    [[nodiscard]] double used() const { return m_top - m_box.top(); }
    [[nodiscard]] double top() const { return m_top; }
    void skip(double height) { m_top += height; }
    /// @param maxLines  0: as many as it takes
    void write(const QString& text, const QFont& font, const QColor& color, double indent = 0, int maxLines = 0);
    /// Two texts in one line, the second at the right.
    void writeBoth(const QString& left, const QFont& leftFont, const QColor& leftColor, const QString& right,
                   const QFont& rightFont, const QColor& rightColor);

private:
    QPainter* m_painter;
    QRectF m_box;
    double m_top;
};

/// What writes.
using Written = std::function<void(Writer& writer)>;

/// How high that is.
[[nodiscard]] double measured(const Written& written, double width);

} // namespace headscope::viz
