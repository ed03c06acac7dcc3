// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/key_line.h"

#include "viz/axis/text.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

constexpr double kMark = 10; ///< room of a mark, with what is free behind it
constexpr double kBetween = 12;
constexpr double kAbove = 2; ///< free above the words of a line

struct Place
{
    QStringList lines;
    double left = 0;
    double top = 0;
};

struct Places
{
    std::vector<Place> entries;
    double height = 0;
};

double markRoom(const KeyEntry& entry)
{
    return entry.mark == KeyEntry::Mark::None ? 0 : kMark;
}

Places placesOf(const std::vector<KeyEntry>& entries, double width, double textPt)
{
    const QFont font = textFont(textPt);
    const double line = std::ceil(lineHeight(font)) + kAbove;
    Places places;
    double left = 0;
    double top = 0;
    for (const KeyEntry& entry : entries)
    {
        const double room = std::max(1.0, width - markRoom(entry));
        const QStringList lines = wrappedLines(entry.text, font, room);
        double widest = 0;
        for (const QString& each : lines)
            widest = std::max(widest, textWidth(each, font));
        if (left > 0 && left + markRoom(entry) + widest > width)
        {
            left = 0;
            top = places.height;
        }
        places.entries.push_back({lines, left, top});
        places.height = std::max(places.height, top + static_cast<double>(lines.size()) * line);
        left += markRoom(entry) + widest + kBetween;
    }
    return places;
}

void paintMark(QPainter& painter, const KeyEntry& entry, const QRectF& box, InkTheme theme)
{
    const double y = box.center().y();
    const QRectF mark(box.left(), y - 2.5, kMark - 4, 5);
    switch (entry.mark)
    {
    case KeyEntry::Mark::None:
        return;
    case KeyEntry::Mark::Bar:
        return painter.fillRect(mark, entry.color);
    case KeyEntry::Mark::Tick:
        return painter.fillRect(QRectF(mark.center().x() - 0.75, mark.top(), 1.5, mark.height()), entry.color);
    case KeyEntry::Mark::Interval:
        painter.setPen(QPen(entry.color, 0.6));
        painter.drawLine(QPointF(mark.left(), y), QPointF(mark.right(), y));
        for (const double x : {mark.left(), mark.right()})
            painter.drawLine(QPointF(x, y - 1.8), QPointF(x, y + 1.8));
        return;
    case KeyEntry::Mark::Dot:
    case KeyEntry::Mark::Ring:
        painter.setPen(QPen(entry.color, 0.8));
        painter.setBrush(entry.mark == KeyEntry::Mark::Dot ? entry.color : inks(theme).background);
        return painter.drawEllipse(mark.center(), 2, 2);
    case KeyEntry::Mark::Line:
    case KeyEntry::Mark::Dashes:
    case KeyEntry::Mark::Dots:
        painter.setPen(QPen(entry.color, 1,
                            entry.mark == KeyEntry::Mark::Line     ? Qt::SolidLine
                            : entry.mark == KeyEntry::Mark::Dashes ? Qt::DashLine
                                                                   : Qt::DotLine,
                            entry.mark == KeyEntry::Mark::Dots ? Qt::FlatCap : Qt::SquareCap));
        return painter.drawLine(QPointF(mark.left(), y), QPointF(mark.right() + 1, y));
    }
}

} // namespace

double keyHeight(const std::vector<KeyEntry>& entries, double width, double textPt)
{
    return placesOf(entries, width, textPt).height;
}

void paintKey(QPainter& painter, const std::vector<KeyEntry>& entries, const QRectF& box, double textPt, InkTheme theme)
{
    const QFont font = textFont(textPt);
    const double line = std::ceil(lineHeight(font)) + kAbove;
    const Places places = placesOf(entries, box.width(), textPt);
    for (std::size_t i = 0; i < entries.size(); ++i)
    {
        const Place& place = places.entries[i];
        QRectF row(box.left() + place.left, box.top() + place.top + kAbove, box.width() - place.left, line - kAbove);
        paintMark(painter, entries[i], row, theme);
        row.setLeft(row.left() + markRoom(entries[i]));
        for (const QString& words : place.lines)
        {
            drawLine(painter, row, words, font, inks(theme).secondary);
            row.translate(0, line);
        }
    }
}

} // namespace headscope::viz
