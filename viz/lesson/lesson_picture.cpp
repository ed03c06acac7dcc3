// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/lesson_picture.h"

#include "viz/axis/text.h"

#include <QPainter>

#include <algorithm>

namespace headscope::viz
{
namespace
{

template <class... Each>
struct Overloaded : Each...
{
    using Each::operator()...;
};
template <class... Each>
Overloaded(Each...) -> Overloaded<Each...>;

double headingHeight(const LessonPicture& picture, double width, const LessonStyle& style)
{
    const LessonStyle caption = captionStyle(style);
    return picture.heading.isEmpty() ? 0
                                     : blockHeight(picture.heading, boldFont(caption), width) + caption.textPx * 0.7;
}

double noteHeight(const LessonPicture& picture, double width, const LessonStyle& style)
{
    const LessonStyle caption = captionStyle(style);
    return picture.note.isEmpty() ? 0 : blockHeight(picture.note, smallFont(caption), width) + caption.textPx * 0.7;
}

/// Why nothing is drawn, in the middle.
void paintWhy(QPainter& painter, const LessonPicture& picture, const QRectF& box, const LessonStyle& style)
{
    const double width = std::min(box.width(), style.textPx * 36);
    const double height = blockHeight(picture.note, bodyFont(style), width);
    QRectF line(box.center().x() - width / 2, box.center().y() - height / 2, width, lineHeight(bodyFont(style)));
    for (const QString& each : wrappedLines(picture.note, bodyFont(style), width))
    {
        drawLine(painter, line, each, bodyFont(style), inks(style.theme).secondary, Qt::AlignCenter);
        line.translate(0, line.height());
    }
}

} // namespace

QRectF lessonDrawingBox(const LessonPicture& picture, const QRectF& box, const LessonStyle& style)
{
    const double note = picture.drawn() ? noteHeight(picture, box.width(), style) : 0;
    return box.adjusted(0, headingHeight(picture, box.width(), style), 0, -note);
}

void paintLessonPicture(QPainter& painter, const LessonPicture& picture, const QRectF& box, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const LessonStyle caption = captionStyle(style);
    paintBlock(painter, box.topLeft(), box.width(), picture.heading, boldFont(caption), ink.ink);
    const QRectF room = lessonDrawingBox(picture, box, style);
    if (!picture.drawn())
    {
        paintWhy(painter, picture, room, caption);
        painter.restore();
        return;
    }
    std::visit(Overloaded{[](const std::monostate&) {},
                          [&](const TokenRow& row) { paintTokenRow(painter, row, room, style); },
                          [&](const HeadCounts& counts) { paintHeadCounts(painter, counts, room, style); },
                          [&](const HeadWiring& wiring) { paintHeadWiring(painter, wiring, room, style); },
                          [&](const GroupScores& scores) { paintGroupScores(painter, scores, room, style); },
                          [&](const HullPlane& plane) { paintHullPlane(painter, plane, room, style); },
                          [&](const HeadMixing& mixing) { paintHeadMixing(painter, mixing, room, style); },
                          [&](const CacheBytes& bytes) { paintCacheBytes(painter, bytes, room, style); },
                          [&](const KvTable& table) { paintKvTable(painter, table, room, style); },
                          [&](const ShareRows& rows) { paintShareRows(painter, rows, room, style); },
                          [&](const RegroupPicture& regroup) { paintRegroup(painter, regroup, room, style); },
                          [&](const ErrorShare& errors) { paintErrorShare(painter, errors, room, style); },
                          [&](const CloudMaps& maps) { paintCloudMaps(painter, maps, room, style); },
                          [&](const ViewPicture& view) { paintViewPicture(painter, view, room, style); }},
               picture.content);
    paintBlock(painter, {box.left(), room.bottom() + caption.textPx * 0.7}, box.width(), picture.note,
               smallFont(caption), ink.secondary);
    painter.restore();
}

double lessonPictureHeight(const LessonPicture& picture, double width, const LessonStyle& style)
{
    const double content =
        std::visit(Overloaded{[](const std::monostate&) { return 0.0; },
                              [&](const TokenRow& row) { return tokenRowHeight(row, width, style); },
                              [&](const HeadCounts& counts) { return headCountsHeight(counts, width, style); },
                              [&](const HeadWiring& wiring) { return headWiringHeight(wiring, width, style); },
                              [&](const GroupScores& scores) { return groupScoresHeight(scores, width, style); },
                              [&](const HullPlane& plane) { return hullPlaneHeight(plane, width, style); },
                              [&](const HeadMixing& mixing) { return headMixingHeight(mixing, width, style); },
                              [&](const CacheBytes& bytes) { return cacheBytesHeight(bytes, width, style); },
                              [&](const KvTable& table) { return kvTableHeight(table, width, style); },
                              [&](const ShareRows& rows) { return shareRowsHeight(rows, width, style); },
                              [&](const RegroupPicture& regroup) { return regroupHeight(regroup, width, style); },
                              [&](const ErrorShare& errors) { return errorShareHeight(errors, width, style); },
                              [&](const CloudMaps& maps) { return cloudMapsHeight(maps, width, style); },
                              [&](const ViewPicture&) { return viewPictureHeight(width); }},
                   picture.content);
    const double note = picture.drawn() ? noteHeight(picture, width, style)
                                        : blockHeight(picture.note, bodyFont(captionStyle(style)),
                                                      std::min(width, captionStyle(style).textPx * 36));
    return headingHeight(picture, width, style) + content + note;
}

QString lessonPictureWords(const LessonPicture& picture)
{
    QString words = std::visit(Overloaded{[](const std::monostate&) { return QString(); },
                                          [](const TokenRow& row) { return tokenRowWords(row); },
                                          [](const HeadCounts& counts) { return headCountsWords(counts); },
                                          [](const HeadWiring& wiring) { return headWiringWords(wiring); },
                                          [](const GroupScores& scores) { return groupScoresWords(scores); },
                                          [](const HullPlane& plane) { return hullPlaneWords(plane); },
                                          [](const HeadMixing& mixing) { return headMixingWords(mixing); },
                                          [](const CacheBytes& bytes) { return cacheBytesWords(bytes); },
                                          [](const KvTable& table) { return kvTableWords(table); },
                                          [](const ShareRows& rows) { return shareRowsWords(rows); },
                                          [](const RegroupPicture& regroup) { return regroupWords(regroup); },
                                          [](const ErrorShare& errors) { return errorShareWords(errors); },
                                          [](const CloudMaps& maps) { return cloudMapsWords(maps); },
                                          [](const ViewPicture& view) { return viewPictureWords(view); }},
                               picture.content);
    QStringList parts{picture.heading, words, picture.note};
    parts.removeAll(QString());
    return parts.join(u' ');
}

} // namespace headscope::viz
