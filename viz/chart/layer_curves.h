// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/chart/chart_style.h"
#include "viz/scatter/marker.h"

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// A number of one layer, with its interval where there is one.
struct LayerPoint
{
    std::int64_t layer = 0;
    double value = 0;
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
    bool apart = false; ///< not on one line with the layers before: an open marker, which no line joins
};

/// One measure of one stage over the layers. Layers that lie next to each other in the cache are joined.
struct LayerCurve
{
    QString name;
    QColor color;
    MarkerShape shape = MarkerShape::Circle;
    bool dashed = false;            ///< a control: open markers, dashed line
    std::vector<LayerPoint> points; ///< ascending by layer
};

/// One measure: its curves over a scale from 0 to 1.
struct LayerBand
{
    QString title;
    QString detail; ///< grey, next to the title: what the numbers are
    std::vector<LayerCurve> curves;
    std::optional<double> chance; ///< a dotted line: what chance gives
    bool percent = true;          ///< a share; else a number from 0 to 1
    QString apart;                ///< said in the key where a point is apart: why
    QString missing;              ///< said in the band where no curve has a point
};

/// The layers of a model, and those that a cache holds.
struct LayerAxis
{
    std::int64_t layers = 0;
    std::set<std::int64_t> held;
    std::optional<std::int64_t> current; ///< marked in every band
};

/// Bands of curves over one axis of layers, one under the other, with a key of the curves above and a
/// strip of layers below: those of the cache tall, the others low and pale.
class LayerCurvesLayout
{
public:
    LayerCurvesLayout() = default;
    LayerCurvesLayout(std::vector<LayerBand> bands, LayerAxis axis, const QRectF& box, const ChartStyle& style);

    /// Middle of a layer.
    [[nodiscard]] double xOf(std::int64_t layer) const;
    /// The layer under a place, in any band and in the strip.
    [[nodiscard]] std::optional<std::int64_t> layerAt(QPointF place) const;
    [[nodiscard]] QRectF plotOf(std::size_t band) const { return m_plots[band]; }
    [[nodiscard]] QRectF strip() const { return m_strip; }
    [[nodiscard]] QPointF placeOf(std::size_t band, const LayerPoint& point) const;
    [[nodiscard]] const std::vector<LayerBand>& bands() const { return m_bands; }
    [[nodiscard]] const LayerAxis& axis() const { return m_axis; }
    void paint(QPainter& painter) const;
    /// A line through all bands at a layer.
    void paintCrosshair(QPainter& painter, std::int64_t layer) const;

private:
    struct KeyEntry
    {
        std::optional<LayerCurve> curve; ///< without its points; nothing: the line of chance, or a point apart
        bool apart = false;
        QString name;
        QRectF box;
    };
    [[nodiscard]] static std::vector<KeyEntry> keyOf(const std::vector<LayerBand>& bands);
    void placeKey(const QRectF& line);

    void paintBand(QPainter& painter, std::size_t band) const;
    void paintCurve(QPainter& painter, std::size_t band, const LayerCurve& curve) const;
    void paintStrip(QPainter& painter) const;
    void paintKey(QPainter& painter) const;

    std::vector<LayerBand> m_bands;
    LayerAxis m_axis;
    ChartStyle m_style;
    QRectF m_box;
    QRectF m_key;
    std::vector<KeyEntry> m_keyEntries;
    std::vector<QRectF> m_plots;
    QRectF m_strip;
    double m_detail = 0; ///< height of the bands' details, where they do not fit next to the titles
};

} // namespace headscope::viz
