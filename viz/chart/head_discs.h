// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/data/results/head_results.h"
#include "viz/color/head_palette.h"
#include "viz/color/inks.h"

#include <QFont>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// A head on the map of heads.
struct HeadDisc
{
    std::int64_t head = 0;
    QPointF at;              ///< up is up
    double strength = 0;     ///< 0..1 of the strongest; NaN: not known
    double filled = 1;       ///< share of the disc: the match; NaN: none of it
    double ring = 0;         ///< share of the circle around it: the selectivity; NaN: none
    bool on = true;          ///< else an outline
    std::int64_t group = -1; ///< discs of one group lie in one hull; -1: in none
};

/// @param xy       [H, 2] a plane of the report's
/// @param members  heads of a KV group; 1: there are no groups
/// @param heads    those that are shown, ascending, all of them rows of xy
/// @param kept     [H] which heads are on; empty: all
[[nodiscard]] std::vector<HeadDisc> headDiscs(const HeadReport& report, const MatrixD& xy, std::int64_t members,
                                              const std::vector<std::int64_t>& heads, const std::vector<bool>& kept);

struct DiscStyle
{
    InkTheme theme = InkTheme::Light;
    HeadPalette palette;
    QFont font;      ///< of the numbers
    double unit = 1; ///< a pixel of the window, in the painter's units
};

/// Where discs, their numbers and their hulls lie in a box: similar heads together, by one scale on both axes, since
/// distances are what is shown. Measure once, paint and hit-test often. Needs a QGuiApplication (fonts).
class HeadDiscLayout
{
public:
    HeadDiscLayout() = default;
    HeadDiscLayout(std::vector<HeadDisc> discs, const QRectF& box, DiscStyle style);

    [[nodiscard]] const std::vector<HeadDisc>& discs() const { return m_discs; }
    /// @pre the head is among them, as for all that follow
    [[nodiscard]] QPointF placeOf(std::int64_t head) const;
    [[nodiscard]] double radiusOf(std::int64_t head) const;
    /// Where the number of a head is: on no disc and on no other number, where there is room.
    [[nodiscard]] QRectF labelOf(std::int64_t head) const;
    /// A ring of the accent's colour is painted here where a head is pointed at.
    [[nodiscard]] QRectF frameOf(std::int64_t head) const;
    [[nodiscard]] std::optional<std::int64_t> headAt(QPointF place) const;

    void paint(QPainter& painter) const;

private:
    [[nodiscard]] std::size_t indexOf(std::int64_t head) const;
    [[nodiscard]] double radius(std::size_t at) const;
    void placeDiscs();
    void placeLabels();
    [[nodiscard]] QRectF freeBox(std::size_t at, QPointF middle, const std::vector<QRectF>& taken) const;
    void paintHulls(QPainter& painter) const;
    void paintDisc(QPainter& painter, std::size_t at) const;
    void paintLabel(QPainter& painter, std::size_t at) const;

    std::vector<HeadDisc> m_discs;
    QRectF m_box;
    DiscStyle m_style;
    double m_largest = 0; ///< radius
    std::vector<QPointF> m_places;
    std::vector<QRectF> m_labels;
};

/// The convex hull of some points, counter-clockwise, without repeats; fewer than three points as they
/// are.
[[nodiscard]] QPolygonF convexHull(QPolygonF points);

} // namespace headscope::viz
