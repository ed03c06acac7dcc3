// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "viz/geometry/view_transform.h"
#include "viz/scatter/point_extent.h"
#include "viz/scatter/point_states.h"

#include <QRectF>

#include <memory>
#include <optional>
#include <vector>

class QWidget;

namespace headscope::ui
{

/// Where the points of a map lie, and the view that shows them next to what floats over the canvas.
/// @threads GUI thread
class MapFit
{
public:
    /// @param canvas, points  must outlive the object
    MapFit(const QWidget& canvas, const viz::PointStates& points);

    /// @cost one pass over the points
    void setMap(std::shared_ptr<const HeadMap> map);
    /// What floats over the canvas and covers points while it is not hidden; children of the canvas.
    void setCards(std::vector<const QWidget*> cards) { m_cards = std::move(cards); }
    /// The fit of another canvas of the same size that shows the same part: its cards are avoided too; null: none.
    void setPartner(const MapFit* partner) { m_partner = partner; }
    /// A further part of the data to show: where the points move to, or come from.
    void setAlso(std::optional<QRectF> bounds) { m_also = bounds; }

    /// All points, data units.
    [[nodiscard]] const viz::PointExtent& extent() const { return m_extent; }
    /// Of the points that are not hidden; of all where all are.
    [[nodiscard]] std::optional<QRectF> shownBounds() const;
    /// Of the points that are neither hidden nor pale.
    [[nodiscard]] std::optional<QRectF> brightBounds() const;

    /// How this part of the data is fitted next to the cards.
    [[nodiscard]] viz::ViewTransform viewOf(const QRectF& bounds) const;
    /// All that is shown.
    [[nodiscard]] viz::ViewTransform view() const { return viewOf(bounds().value_or(QRectF())); }
    /// The data in a view that view() has given, without the strips that lie under the cards; all of it where no point
    /// is shown.
    [[nodiscard]] QRectF dataBeside(const viz::ViewTransform& view) const;

private:
    [[nodiscard]] std::optional<QRectF> bounds() const;
    [[nodiscard]] std::vector<QRectF> cards() const;

    const QWidget& m_canvas;
    const viz::PointStates& m_points;
    std::shared_ptr<const HeadMap> m_map;
    viz::PointExtent m_extent;
    std::vector<const QWidget*> m_cards;
    const MapFit* m_partner = nullptr;
    std::optional<QRectF> m_also;
};

} // namespace headscope::ui
