// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/axis/legend.h"
#include "viz/axis/legend_places.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// A legend with the places of all its parts; measure once, paint and hit-test often.
/// Needs a QGuiApplication (fonts).
class LegendLayout
{
public:
    LegendLayout() = default;
    LegendLayout(Legend legend, LegendStyle style);

    [[nodiscard]] const Legend& legend() const { return m_legend; }
    [[nodiscard]] QSizeF size() const { return m_places.size; }
    /// Where the head (title, hint and what LegendStyle keeps free) ends and the rows begin.
    [[nodiscard]] double headBottom() const { return m_places.headBottom; }
    /// Lines of entries in all columns, title and ramp not counted.
    [[nodiscard]] std::size_t rowCount() const { return m_places.rows; }
    /// What lies at a place relative to the legend's top left corner.
    [[nodiscard]] std::optional<LegendHit> hit(QPointF place) const;
    /// Everything that can be hit, in reading order.
    [[nodiscard]] std::vector<LegendHit> hits() const;
    /// Where an item lies, relative to the top left corner; nothing when it is summed up.
    [[nodiscard]] std::optional<QRectF> boxOf(const LegendHit& hit) const;
    /// The item whose eye lies at a place, and where that eye lies; of LegendStyle::eyes alone.
    [[nodiscard]] std::optional<LegendHit> eyeAt(QPointF place) const;
    [[nodiscard]] std::optional<QRectF> eyeOf(const LegendHit& hit) const;
    /// The whole of a name that is drawn elided at this place, for a tool tip; else empty.
    [[nodiscard]] QString elidedNameAt(QPointF place) const;
    /// Paints with the top left corner at `place`.
    /// @param faded  legend items drawn pale, because their points are hidden
    void paint(QPainter& painter, QPointF place, const std::vector<LegendHit>& faded = {}) const;

private:
    void paintEye(QPainter& painter, const QRectF& box, bool closed) const;
    void paintItem(QPainter& painter, const LegendItem& item, const QColor& letters) const;

    Legend m_legend;
    LegendStyle m_style;
    LegendPlaces m_places;
};

} // namespace headscope::viz
