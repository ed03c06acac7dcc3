// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/layer_curves.h"

#include "viz/axis/text.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kAfterKey = 3;
constexpr double kGap = 6;
constexpr double kStripHeight = 14;
constexpr double kMarkerRadius = 3.2;
constexpr double kKeyMark = 2 * kMarkerRadius + 17; ///< from the left of an entry of the key to its name

/// Text in lines of at most the box's width, from its top down.
void paintLines(QPainter& painter, const QRectF& box, const QString& text, const QFont& font, const QColor& color,
                Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter)
{
    double top = box.top();
    for (const QString& line : wrappedLines(text, font, box.width()))
    {
        drawLine(painter, {box.left(), top, box.width(), lineHeight(font)}, line, font, color, alignment);
        top += lineHeight(font);
    }
}

} // namespace

LayerCurvesLayout::LayerCurvesLayout(std::vector<LayerBand> bands, LayerAxis axis, const QRectF& box,
                                     const ChartStyle& style)
    : m_bands(std::move(bands)), m_axis(std::move(axis)), m_style(style), m_box(box)
{
    const QFont small = textFont(style.textPx - 1);
    const double line = lineHeight(small);
    const double title = lineHeight(textFont(style.textPx, QFont::DemiBold)) + 4;
    const double left = textWidth(QStringLiteral("100%"), small) + kGap;
    const double right = kGap;
    placeKey({box.left() + left, box.top(), std::max(0.0, box.width() - left - right), line + 4});
    const double below = kStripHeight + 3 + line + line;
    const auto count = static_cast<double>(std::max<std::size_t>(1, m_bands.size()));
    const double share = std::max(0.0, box.height() - m_key.height() - kAfterKey - below) / count;
    for (const LayerBand& band : m_bands)
        if (textWidth(band.title, textFont(style.textPx, QFont::DemiBold)) + 8 + textWidth(band.detail, small) >
            m_key.width())
            m_detail =
                std::max(m_detail, line * static_cast<double>(wrappedLines(band.detail, small, m_key.width()).size()));
    const double head = title + m_detail + line / 2;
    double top = m_key.bottom() + kAfterKey;
    for (std::size_t i = 0; i < m_bands.size(); ++i)
    {
        m_plots.emplace_back(m_key.left(), top + head, m_key.width(), std::max(0.0, share - head - 2 * kGap));
        top += share;
    }
    m_strip = QRectF(m_key.left(), top, m_key.width(), kStripHeight);
}

double LayerCurvesLayout::xOf(std::int64_t layer) const
{
    const auto layers = static_cast<double>(std::max<std::int64_t>(1, m_axis.layers));
    return m_strip.left() + (static_cast<double>(layer) + 0.5) * m_strip.width() / layers;
}

QPointF LayerCurvesLayout::placeOf(std::size_t band, const LayerPoint& point) const
{
    const QRectF& plot = m_plots[band];
    return {xOf(point.layer), plot.bottom() - std::clamp(point.value, 0.0, 1.0) * plot.height()};
}

std::optional<std::int64_t> LayerCurvesLayout::layerAt(QPointF place) const
{
    const QRectF all(m_strip.left(), m_box.top(), m_strip.width(), m_box.height());
    if (m_axis.layers <= 0 || !all.contains(place))
        return std::nullopt;
    const double share = (place.x() - m_strip.left()) / m_strip.width();
    return std::clamp(static_cast<std::int64_t>(share * static_cast<double>(m_axis.layers)), std::int64_t{0},
                      m_axis.layers - 1);
}

void LayerCurvesLayout::paint(QPainter& painter) const
{
    if (m_axis.layers <= 0 || m_strip.width() <= 0)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_axis.current && !m_plots.empty())
    {
        QColor pale = inks(m_style.theme).accent;
        pale.setAlphaF(0.10F);
        const double width = std::max(4.0, m_strip.width() / static_cast<double>(m_axis.layers));
        for (const QRectF& plot : m_plots)
            painter.fillRect(QRectF(xOf(*m_axis.current) - width / 2, plot.top(), width, plot.height()), pale);
    }
    paintKey(painter);
    for (std::size_t i = 0; i < m_bands.size(); ++i)
        paintBand(painter, i);
    paintStrip(painter);
    painter.restore();
}

std::vector<LayerCurvesLayout::KeyEntry> LayerCurvesLayout::keyOf(const std::vector<LayerBand>& bands)
{
    std::vector<KeyEntry> entries;
    std::set<QString> told;
    bool chance = false;
    QString apart;
    for (const LayerBand& band : bands)
    {
        for (const LayerCurve& curve : band.curves)
            if (std::any_of(curve.points.begin(), curve.points.end(), [](const LayerPoint& p) { return p.apart; }))
                apart = band.apart;
        for (const LayerCurve& curve : band.curves)
            if (told.insert(curve.name).second)
            {
                LayerCurve sample = curve;
                sample.points.clear();
                entries.push_back({std::move(sample), false, curve.name, {}});
            }
        chance = chance || band.chance.has_value();
    }
    if (chance)
        entries.push_back({std::nullopt, false, QStringLiteral("chance"), {}});
    if (!apart.isEmpty())
        entries.push_back({std::nullopt, true, apart, {}});
    return entries;
}

void LayerCurvesLayout::placeKey(const QRectF& line)
{
    const QFont small = textFont(m_style.textPx - 1);
    QPointF at = line.topLeft();
    m_keyEntries = keyOf(m_bands);
    for (KeyEntry& entry : m_keyEntries)
    {
        const double width = kKeyMark + textWidth(entry.name, small) + 1;
        if (at.x() > line.left() && at.x() + width > line.right())
            at = {line.left(), at.y() + line.height()};
        entry.box = QRectF(at, QSizeF(width, line.height()));
        at.rx() += width + 3 * kGap;
    }
    m_key = QRectF(line.topLeft(), QSizeF(line.width(), at.y() + line.height() - line.top()));
}

void LayerCurvesLayout::paintKey(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    for (const KeyEntry& entry : m_keyEntries)
    {
        const double middle = entry.box.center().y();
        if (entry.curve)
        {
            const LayerCurve& curve = *entry.curve;
            painter.save();
            painter.translate(entry.box.left() + kMarkerRadius + 6, middle);
            painter.setPen(QPen(curve.color, 1.4, curve.dashed ? Qt::DashLine : Qt::SolidLine));
            painter.drawLine(QPointF(-kMarkerRadius - 6, 0), QPointF(kMarkerRadius + 6, 0));
            painter.setPen(QPen(curve.color, 1.2));
            painter.setBrush(curve.dashed ? ink.background : curve.color);
            painter.drawPath(markerPath(curve.shape, kMarkerRadius));
            painter.restore();
        }
        else if (entry.apart)
        {
            painter.setPen(QPen(ink.secondary, 1.2));
            painter.setBrush(ink.background);
            painter.drawEllipse(QPointF(entry.box.left() + kMarkerRadius + 6, middle), kMarkerRadius, kMarkerRadius);
        }
        else
        {
            painter.setPen(QPen(ink.secondary, 1, Qt::DotLine));
            painter.drawLine(QPointF(entry.box.left(), middle), QPointF(entry.box.left() + 18, middle));
        }
        drawLine(painter, entry.box.adjusted(kKeyMark, 0, 0, 0), entry.name, small,
                 entry.curve ? ink.ink : ink.secondary);
    }
}

void LayerCurvesLayout::paintBand(QPainter& painter, std::size_t index) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const QFont bold = textFont(m_style.textPx, QFont::DemiBold);
    const double line = lineHeight(small);
    const LayerBand& band = m_bands[index];
    const QRectF& plot = m_plots[index];
    const double titleHeight = lineHeight(bold);
    const QRectF title(plot.left(), plot.top() - m_detail - titleHeight - line / 2 - 2, plot.width(), titleHeight);
    drawLine(painter, title, band.title, bold, ink.ink);
    if (m_detail > 0)
        paintLines(painter, title.translated(0, titleHeight), band.detail, small, ink.secondary);
    else
        drawLine(painter, title.adjusted(textWidth(band.title, bold) + 8, 0, 0, 0), band.detail, small, ink.secondary);
    if (plot.height() < line)
        return;
    const std::vector<int> percents =
        plot.height() > 5 * line ? std::vector<int>{0, 25, 50, 75, 100} : std::vector<int>{0, 50, 100};
    for (const int percent : percents)
    {
        const double y = plot.bottom() - plot.height() * percent / 100;
        painter.fillRect(QRectF(plot.left(), y - 0.25, plot.width(), 0.5), ink.hairline);
        drawLine(painter, {m_box.left(), y - line / 2, plot.left() - kGap - m_box.left(), line},
                 band.percent ? QStringLiteral("%1%").arg(percent) : QString::number(percent / 100.0, 'f', 2), small,
                 ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    }
    const bool any =
        std::any_of(band.curves.begin(), band.curves.end(), [](const LayerCurve& c) { return !c.points.empty(); });
    if (!any)
    {
        if (!band.missing.isEmpty())
        {
            const double lines = static_cast<double>(wrappedLines(band.missing, small, plot.width()).size());
            const QRectF box(plot.left(), plot.center().y() - (lines + 1) * line / 2, plot.width(), (lines + 1) * line);
            painter.fillRect(box, ink.background);
            paintLines(painter, box.adjusted(0, line / 2, 0, 0), band.missing, small, ink.secondary, Qt::AlignCenter);
        }
        return;
    }
    if (band.chance)
    {
        const double y = placeOf(index, {0, *band.chance}).y();
        painter.setPen(QPen(ink.secondary, 1, Qt::DotLine));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    }
    for (const LayerCurve& curve : band.curves)
        paintCurve(painter, index, curve);
}

void LayerCurvesLayout::paintCurve(QPainter& painter, std::size_t index, const LayerCurve& curve) const
{
    const Inks& ink = inks(m_style.theme);
    painter.setBrush(Qt::NoBrush);
    QPainterPath path;
    std::optional<std::int64_t> before;
    QPointF last;
    for (const LayerPoint& point : curve.points)
    {
        if (!std::isfinite(point.value))
        {
            before.reset();
            continue;
        }
        const QPointF place = placeOf(index, point);
        // Layers of the cache between two points mean that those are not measured yet: no line across.
        const bool joined = before && !point.apart && m_axis.held.upper_bound(*before) == m_axis.held.find(point.layer);
        // A path of points without lines is written as damaged PDF.
        if (joined && (path.isEmpty() || path.currentPosition() != last))
            path.moveTo(last);
        if (joined)
            path.lineTo(place);
        before = point.layer;
        last = place;
        // A line without length is damaged PDF, too.
        if (std::isfinite(point.low) && std::isfinite(point.high) && point.low < point.high)
        {
            QColor pale = curve.color;
            pale.setAlphaF(0.45F);
            painter.setPen(QPen(pale, 1));
            painter.drawLine(placeOf(index, {point.layer, point.low}), placeOf(index, {point.layer, point.high}));
        }
    }
    painter.setPen(QPen(curve.color, 1.4, curve.dashed ? Qt::DashLine : Qt::SolidLine));
    if (!path.isEmpty())
        painter.drawPath(path);
    const double room = m_strip.width() / static_cast<double>(std::max<std::int64_t>(1, m_axis.layers));
    const double radius = std::clamp(0.35 * room, 1.6, kMarkerRadius);
    for (const LayerPoint& point : curve.points)
    {
        if (!std::isfinite(point.value))
            continue;
        painter.save();
        painter.translate(placeOf(index, point));
        const bool open = curve.dashed || point.apart;
        painter.setPen(QPen(open ? curve.color : ink.background, open ? 1.2 : 0.8));
        painter.setBrush(open ? ink.background : curve.color);
        painter.drawPath(markerPath(curve.shape, radius));
        painter.restore();
    }
}

void LayerCurvesLayout::paintStrip(QPainter& painter) const
{
    const Inks& ink = inks(m_style.theme);
    const QFont small = textFont(m_style.textPx - 1);
    const double line = lineHeight(small);
    const double width = m_strip.width() / static_cast<double>(m_axis.layers);
    const double gap = width > 6 ? 2 : width > 3 ? 1 : 0;
    double freeFrom = m_strip.left() - kGap;
    // Where few layers are held their numbers stand there; else those at round steps, so that the eye can count on.
    const bool sparse = !m_axis.held.empty() && std::ssize(m_axis.held) < m_axis.layers;
    const double room = 2 * (textWidth(QString::number(m_axis.layers), small) + 5);
    const std::int64_t chosen = m_axis.current && m_axis.held.contains(*m_axis.current) ? *m_axis.current : -1;
    const double label = textWidth(QString::number(m_axis.layers), small) + 8;
    std::int64_t step = 1;
    for (const std::int64_t round : {1, 2, 5, 10, 20, 50, 100})
        if (step = round; static_cast<double>(round) * width >= label)
            break;
    for (std::int64_t layer = 0; layer < m_axis.layers; ++layer)
    {
        const bool held = m_axis.held.contains(layer);
        const bool current = held && m_axis.current == layer;
        const double x = m_strip.left() + static_cast<double>(layer) * width;
        const double height = held ? m_strip.height() : 0.4 * m_strip.height();
        painter.setPen(Qt::NoPen);
        painter.setBrush(current ? ink.accent : held ? ink.secondary : ink.dimmed);
        painter.drawRoundedRect(QRectF(x + gap / 2, m_strip.bottom() - height, width - gap, height), 1.5, 1.5);
        const QString number = QString::number(layer);
        const double own = textWidth(number, small) + 2;
        const double left = x + width / 2 - own / 2;
        const bool wanted = sparse ? held : layer % step == 0;
        // The chosen one keeps its place free of its neighbours.
        const bool crowds = chosen > layer && static_cast<double>(chosen - layer) * width < room / 2;
        if ((current || (wanted && !crowds)) && left >= freeFrom)
        {
            drawLine(painter, {left, m_strip.bottom() + 3, own, line}, number, small,
                     current ? ink.accent : ink.secondary, Qt::AlignCenter);
            freeFrom = left + own + 3;
        }
    }
    drawLine(painter, {m_strip.left(), m_strip.bottom() + 3 + line, m_strip.width(), line}, QStringLiteral("layer"),
             small, ink.ink, Qt::AlignCenter);
}

void LayerCurvesLayout::paintCrosshair(QPainter& painter, std::int64_t layer) const
{
    if (m_plots.empty())
        return;
    painter.save();
    QColor pale = inks(m_style.theme).secondary;
    pale.setAlphaF(0.6F);
    painter.setPen(QPen(pale, 1));
    const double x = std::round(xOf(layer)) + 0.5;
    painter.drawLine(QPointF(x, m_plots.front().top()), QPointF(x, m_strip.bottom()));
    painter.restore();
}

} // namespace headscope::viz
