// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/fit_room.h"

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr double kFitMarginPx = 24;
constexpr double kMinRoomPx = 2 * kFitMarginPx + 16; ///< of a part that is worth being called one

} // namespace

QRectF fitRoom(const QRectF& data, QSizeF canvas, const std::vector<QRectF>& cards)
{
    const QRectF whole(QPointF(0, 0), canvas);
    std::vector<double> lefts = {0};
    std::vector<double> rights = {canvas.width()};
    std::vector<double> tops = {0};
    std::vector<double> bottoms = {canvas.height()};
    for (const QRectF& card : cards)
    {
        if (card.isEmpty())
            continue;
        lefts.push_back(card.right());
        rights.push_back(card.left());
        tops.push_back(card.bottom());
        bottoms.push_back(card.top());
    }
    // A handful of cards: every rectangle between their edges is tried.
    QRectF best = whole;
    double bestScale = 0;
    for (const double left : lefts)
        for (const double right : rights)
            for (const double top : tops)
                for (const double bottom : bottoms)
                {
                    const QRectF room(QPointF(left, top), QPointF(right, bottom));
                    if (room.width() < kMinRoomPx || room.height() < kMinRoomPx ||
                        std::ranges::any_of(cards, [&room](const QRectF& card) { return card.intersects(room); }))
                        continue;
                    const double scale = viz::ViewTransform::fit(data, room.size(), kFitMarginPx).scale();
                    // Of parts that show as much the larger one: the map stands in its middle.
                    const bool larger = room.width() * room.height() > best.width() * best.height();
                    if (scale > bestScale * (1 + 1e-9) || (scale >= bestScale * (1 - 1e-9) && larger))
                    {
                        best = room;
                        bestScale = scale;
                    }
                }
    return best;
}

viz::ViewTransform fitBeside(const QRectF& data, QSizeF canvas, const std::vector<QRectF>& cards)
{
    const QRectF room = fitRoom(data, canvas, cards);
    const viz::ViewTransform inRoom = viz::ViewTransform::fit(data, room.size(), kFitMarginPx);
    const QPointF aside = (room.center() - QPointF(canvas.width(), canvas.height()) / 2) / inRoom.scale();
    return {inRoom.centre() + QPointF(-aside.x(), aside.y()), inRoom.scale(), canvas};
}

} // namespace headscope::ui
