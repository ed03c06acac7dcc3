// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/topic_results.h"
#include "viz/color/color_scale.h"
#include "viz/color/theme.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::viz
{

struct HeatmapStyle
{
    Theme theme = Theme::Light;
    double textPx = 11;
    std::optional<ScaleLimits> limits; ///< empty: heatmapLimits of the values
    bool title = true;                 ///< the stage's sentence above
    bool key = true;                   ///< letters and names of the topics below
    bool colorBar = true;
    bool colorBarRoom = true; ///< without a bar, keep its place free all the same: for maps under each other
};

/// Limits that show the values well: rounded outwards from the 1st and 99th percentile.
[[nodiscard]] ScaleLimits heatmapLimits(const Heatmap& heatmap);
/// Blue to red, near-white in the middle of the limits: cosines with a topic are mostly positive, and
/// a centre at zero would leave one arm of the colours unused. The colour bar names the middle.
[[nodiscard]] ColorScale heatmapScale(ScaleLimits limits, Theme theme);
/// "A".."Z", "AA", "AB" ...: how topic number i is called in a figure.
[[nodiscard]] QString topicLetter(std::int64_t i);

/// A cell under the pointer.
struct HeatmapCell
{
    std::int64_t row = 0; ///< 0 = full, 1 + h = head h
    std::int64_t column = 0;
    bool operator==(const HeatmapCell&) const = default;
};

/// Places of a heatmap in a rectangle: rows full, then KV groups; columns by topic with white gaps.
/// Measure once, paint and hit-test often. Needs a QGuiApplication (fonts).
class HeatmapLayout
{
public:
    HeatmapLayout() = default;
    /// @param heatmap  must outlive the layout
    /// @param box      in the painter's units; text keeps its size, the cells take what is left
    HeatmapLayout(const Heatmap& heatmap, const ModelInfo& info, const QRectF& box, const HeatmapStyle& style);

    [[nodiscard]] QRectF box() const { return m_box; }
    [[nodiscard]] QRectF plot() const { return m_plot; }
    [[nodiscard]] const ColorScale& scale() const { return m_scale; }
    [[nodiscard]] QRectF topicRect(std::int64_t topic) const;
    [[nodiscard]] QRectF rowRect(std::int64_t row) const;
    [[nodiscard]] QRectF cellRect(HeatmapCell cell) const;
    [[nodiscard]] std::optional<HeatmapCell> cellAt(QPointF place) const;
    /// How many columns share one pixel at this device pixel ratio; above 1 the picture shows means.
    [[nodiscard]] double columnsPerPixel(double dpr) const;
    /// What must be said under the picture: "each pixel is the mean of 3 documents"; empty when
    /// every document has pixels of its own.
    [[nodiscard]] QString note(double dpr) const;

    /// @param dpr  device pixels per unit of the painter, so that cells fall on whole pixels
    void paint(QPainter& painter, double dpr) const;
    /// A frame around a cell, or around the row of one topic.
    void paintFrame(QPainter& painter, const QRectF& cell) const;

private:
    void placeColumns();
    void placeKey(double left, double width);
    void paintTitle(QPainter& painter, double dpr) const;
    void paintCells(QPainter& painter, double dpr) const;
    void paintRowNames(QPainter& painter) const;
    void paintKey(QPainter& painter) const;
    void paintColorBar(QPainter& painter) const;
    [[nodiscard]] std::int64_t numHeads() const;

    const Heatmap* m_heatmap = nullptr;
    ModelInfo m_info;
    HeatmapStyle m_style;
    ColorScale m_scale;
    QRectF m_box;
    QRectF m_plot;
    QRectF m_bar;
    QRectF m_titleBox;
    QRectF m_letterBox;
    double m_fullHeight = 0;        ///< of the full row
    double m_fullGap = 0;           ///< between the full row and the heads
    double m_stripWidth = 0;        ///< of the head colours
    std::vector<QRectF> m_topics;   ///< columns of each topic
    std::vector<QRectF> m_keyBoxes; ///< one per topic, empty when there is no key
};

} // namespace headscope::viz
