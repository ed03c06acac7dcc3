// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/part_figures.h"

#include "viz/axis/text.h"
#include "viz/color/inks.h"
#include "viz/export/figure_text.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kNotePt = 7;
constexpr double kAfterTitle = 4;

QFont titleFont()
{
    return textFont(kFigureTextPt + 1, QFont::DemiBold);
}

QStringList titleLines(const FigurePart& part, double width)
{
    return part.title.isEmpty() ? QStringList() : wrappedLines(part.title, titleFont(), width);
}

QStringList noteLines(const FigurePart& part, double width)
{
    return part.note.isEmpty() ? QStringList() : wrappedLines(part.note, textFont(kNotePt), width);
}

double headingHeight(const FigurePart& part, double width)
{
    const double titles = static_cast<double>(titleLines(part, width).size()) * lineHeight(titleFont());
    const double notes = static_cast<double>(noteLines(part, width).size()) * lineHeight(textFont(kNotePt));
    return titles + notes + (titles + notes > 0 ? kAfterTitle : 0);
}

struct Placed
{
    const FigurePart* part = nullptr;
    QRectF box; ///< title and note included
};

/// Every part in its place, from (0, 0).
std::vector<Placed> placed(std::span<const FigurePart> parts, double width)
{
    std::vector<Placed> all;
    double top = 0;
    for (std::size_t first = 0; first < parts.size();)
    {
        std::size_t end = first + 1;
        double least = parts[first].least;
        while (end < parts.size())
        {
            least = std::max(least, parts[end].least);
            const auto count = static_cast<double>(end + 1 - first);
            if (count * least + (count - 1) * kFigureGap > width)
                break;
            ++end;
        }
        const auto count = static_cast<double>(end - first);
        const double each = (width - (count - 1) * kFigureGap) / count;
        double height = 0;
        const auto widthOf = [&](std::size_t i) { return parts[i].most > 0 ? std::min(each, parts[i].most) : each; };
        for (std::size_t i = first; i < end; ++i)
            height = std::max(height, headingHeight(parts[i], widthOf(i)) + parts[i].height(widthOf(i)));
        for (std::size_t i = first; i < end; ++i)
            all.push_back({&parts[i], {static_cast<double>(i - first) * (each + kFigureGap), top, widthOf(i), height}});
        top += height + kFigureGap;
        first = end;
    }
    return all;
}

/// "Similarity of heads: CKA. Mean 0.29." of each part.
QString captionOf(std::span<const FigurePart> parts)
{
    QStringList sentences;
    for (const FigurePart& part : parts)
    {
        const QString words = QString(part.note % QLatin1Char(' ') % part.more).simplified();
        QString sentence = part.title.isEmpty() || words.isEmpty() ? QString(part.title % words)
                                                                   : QString(part.title % QStringLiteral(": ") % words);
        if (!sentence.isEmpty() && !sentence.endsWith(QLatin1Char('.')))
            sentence += QLatin1Char('.');
        if (!sentence.isEmpty())
            sentences << sentence;
    }
    return sentences.join(QLatin1Char(' '));
}

void paintPart(QPainter& painter, const Placed& place, double dpr)
{
    const FigurePart& part = *place.part;
    const Inks& ink = inks(InkTheme::Light);
    const QRectF& box = place.box;
    double top = box.top();
    const auto write = [&](const QStringList& lines, const QFont& font, const QColor& color) {
        for (const QString& line : lines)
        {
            drawLine(painter, {box.left(), top, box.width(), lineHeight(font)}, line, font, color);
            top += lineHeight(font);
        }
    };
    write(titleLines(part, box.width()), titleFont(), ink.ink);
    write(noteLines(part, box.width()), textFont(kNotePt), ink.secondary);
    top = box.top() + headingHeight(part, box.width());
    part.paint(painter, {box.left(), top, box.width(), part.height(box.width())}, dpr);
}

} // namespace

Result<FigureSpec> partsSpec(std::vector<FigurePart> parts, FigureOptions options)
{
    if (parts.empty())
        return Error{ErrorCode::InvalidArgument, "there is nothing to draw", {}, {}};
    fillIn(options, captionOf(parts), {});
    const auto owned = std::make_shared<const std::vector<FigurePart>>(std::move(parts));
    const std::vector<Placed> places = placed(*owned, contentWidth(options));
    double bottom = 0;
    for (const Placed& place : places)
        bottom = std::max(bottom, place.box.bottom());
    followContent(options, bottom);
    return FigureSpec{[owned, places](QPainter& painter, const QRectF& box, double dpr) {
                          for (const Placed& place : places)
                              paintPart(painter, {place.part, place.box.translated(box.topLeft())}, dpr);
                      },
                      std::move(options)};
}

Figure figureOfParts(std::vector<FigurePart> parts)
{
    return [parts = std::move(parts)](FigureOptions options) { return partsSpec(parts, std::move(options)); };
}

} // namespace headscope::viz
