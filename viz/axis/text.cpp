// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/text.h"

#include "model/base/text/fixed_text.h"
#include "viz/axis/figure_texts.h"

#include <QColor>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QGlyphRun>
#include <QGuiApplication>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>
#include <QTransform>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

/// The line as shapes, where drawText() would put it.
void fillLine(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const QString& text, const QFont& font)
{
    const QFontMetricsF metrics(font);
    const double freeX = box.width() - metrics.horizontalAdvance(text);
    const double freeY = box.height() - metrics.height();
    const double left = alignment.testFlag(Qt::AlignRight)     ? freeX
                        : alignment.testFlag(Qt::AlignHCenter) ? freeX / 2
                                                               : 0;
    const double top = alignment.testFlag(Qt::AlignBottom)    ? freeY
                       : alignment.testFlag(Qt::AlignVCenter) ? freeY / 2
                                                              : 0;
    QPainterPath letters;
    letters.setFillRule(Qt::WindingFill);
    letters.addText(box.topLeft() + QPointF(left, top + metrics.ascent()), font, text);
    painter.fillPath(letters, painter.pen().color());
}

/// Notes how high the text will be on paper.
void noteHeight(FigureTexts& texts, const QPainter& painter, const QFont& font, const QString& text)
{
    if (text.trimmed().isEmpty())
        return;
    const double height = font.pixelSize() * lengthOn(painter.deviceTransform()) / texts.unitsPerPoint;
    texts.leastPt = std::min(texts.leastPt.value_or(height), height);
}

/// Notes a text with letters that no font of this machine has: they would be drawn as boxes.
void noteMissing(FigureTexts& texts, const QFont& font, const QString& text)
{
    constexpr char16_t kLatin = 0x250; // what is below is in every font
    if (!texts.missing.isEmpty() || std::ranges::none_of(text, [](QChar c) { return c.unicode() >= kLatin; }))
        return;
    QTextLayout layout(text, font);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    for (const QGlyphRun& run : layout.glyphRuns())
        if (run.glyphIndexes().contains(0))
            texts.missing = text;
}

} // namespace

QString fontFamily()
{
    static const QString family = [] {
        const QString wanted = QStringLiteral("Inter");
        return QFontDatabase::families().contains(wanted) ? wanted : QGuiApplication::font().family();
    }();
    return family;
}

QFont textFont(double pixelSize, QFont::Weight weight)
{
    QFont font(fontFamily());
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixelSize))));
    font.setWeight(weight);
    // Figures scale the painter: advances rounded to the pixels of a small size would show as
    // uneven letter gaps on paper.
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

double textWidth(const QString& text, const QFont& font)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

double lineHeight(const QFont& font)
{
    return QFontMetricsF(font).height();
}

QString elidedMiddle(const QString& text, const QFont& font, double width)
{
    constexpr double kRounding = 0.01; // a box measured from this very text must hold it
    return QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, width + kRounding);
}

QStringList wrappedLines(const QString& text, const QFont& font, double width, int maxLines)
{
    QStringList lines;
    for (const QString& paragraph : text.split(QLatin1Char('\n')))
    {
        QTextLayout layout(paragraph, font);
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        layout.setTextOption(option);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine())
        {
            line.setLineWidth(std::max(1.0, width));
            const bool last = maxLines > 0 && lines.size() + 1 == maxLines;
            const QString rest = last ? paragraph.mid(line.textStart()) : QString();
            if (last && rest.size() > line.textLength())
            {
                lines << QFontMetricsF(font).elidedText(rest, Qt::ElideRight, width);
                layout.endLayout();
                return lines;
            }
            lines << paragraph.mid(line.textStart(), line.textLength()).trimmed();
            if (last)
                break;
        }
        layout.endLayout();
        if (maxLines > 0 && lines.size() >= maxLines)
            break;
    }
    return lines;
}

std::optional<QFont> fontThatFits(const QString& text, QSizeF room, double largest, double least)
{
    for (double size = largest; size >= std::min(least, largest); --size)
        if (const QFont font = textFont(size);
            textWidth(text, font) <= room.width() && lineHeight(font) <= room.height())
            return font;
    return std::nullopt;
}

void drawLine(QPainter& painter, const QRectF& box, const QString& text, const QFont& font, const QColor& color,
              Qt::Alignment alignment)
{
    const QString shown = elidedMiddle(text, font, box.width());
    // The words are English and the places are ours: a window for a script from right to left turns neither.
    const int flags = static_cast<int>(alignment) | Qt::TextSingleLine | Qt::TextDontClip | Qt::TextForceLeftToRight;
    painter.setPen(color);
    FigureTexts* const texts = figureTexts(painter);
    if (texts != nullptr)
    {
        noteHeight(*texts, painter, font, shown);
        noteMissing(*texts, font, shown);
        if (texts->cut.isEmpty() && shown != text)
            texts->cut = text;
    }
    const bool outlines = texts != nullptr && texts->outlines;
    const QTransform device = painter.deviceTransform();
    if (device.type() <= QTransform::TxTranslate && !outlines)
    {
        painter.setFont(font);
        painter.drawText(box, flags, shown);
        return;
    }
    // On a scaled painter the glyphs would be made for the small nominal size, whose stems FreeType
    // thickens, and then be enlarged: regular text would look bold.
    constexpr int kEnlarged = 16;
    QFont large = font;
    large.setPixelSize(font.pixelSize() * kEnlarged);
    painter.save();
    painter.scale(1.0 / kEnlarged, 1.0 / kEnlarged);
    painter.setFont(large);
    const QRectF place(box.topLeft() * kEnlarged, box.size() * kEnlarged);
    if (outlines)
        fillLine(painter, place, alignment, shown, large);
    else
        painter.drawText(place, flags, shown);
    painter.restore();
}

QString groupedNumber(qint64 number)
{
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(number);
}

QString fixedNumber(double number, int decimals)
{
    if (!std::isfinite(number))
        return QStringLiteral("\u2013");
    return QString::fromStdString(fixedText(number, decimals)).replace(QLatin1Char('-'), QChar(0x2212));
}

QString shortNumber(double number)
{
    if (!std::isfinite(number))
        return QStringLiteral("\u2013");
    constexpr double kThousand = 1000; // from here on three digits would need a power of ten: years, counts
    constexpr double kManyDigits = 1e6;
    const bool isLong = std::abs(number) >= kThousand && std::abs(number) < kManyDigits;
    QString text = isLong ? QString::number(number, 'f', 0) : QString::number(number, 'g', 3);
    if (text == QStringLiteral("-0"))
        text = QStringLiteral("0");
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace headscope::viz
