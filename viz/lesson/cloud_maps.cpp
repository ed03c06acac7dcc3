// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/cloud_maps.h"

#include "viz/axis/text.h"
#include "viz/color/category_palette.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

std::size_t columnsFor(const CloudMaps& maps, double width, const LessonStyle& style)
{
    const double least = style.textPx * 15;
    const auto fit = static_cast<std::size_t>(std::max(1.0, std::floor(width / least)));
    return std::clamp<std::size_t>(maps.panels.size(), 1, fit);
}

double wordsHeight(const CloudMaps& maps, double width, const LessonStyle& style)
{
    double most = 0;
    for (const CloudPanel& panel : maps.panels)
        most = std::max(most, blockHeight(panel.title, boldFont(style), width) +
                                  blockHeight(panel.words, smallFont(style), width));
    return most + style.textPx * 0.6;
}

/// Where the dots of a cloud lie on average.
struct Centre
{
    QPointF sum;
    int count = 0;
    double top = 1e30; ///< of its highest dot
    double bottom = -1e30;
};

std::int64_t numClouds(const CloudMaps& maps)
{
    return maps.clouds.empty() ? 0 : *std::max_element(maps.clouds.begin(), maps.clouds.end()) + 1;
}

/// The nearest place of a few rings where a number hides no other one.
QPointF besideOthers(QPointF at, const std::vector<QPointF>& taken, double radius)
{
    const auto isFree = [&](QPointF place) {
        return std::ranges::none_of(
            taken, [&](QPointF each) { return std::hypot(each.x() - place.x(), each.y() - place.y()) < 2 * radius; });
    };
    constexpr int kRings = 8;
    constexpr int kPlaces = 12;
    for (int i = 0; i < kRings * kPlaces && !isFree(at); ++i)
    {
        const double angle = 2 * M_PI * (i % kPlaces) / kPlaces;
        const QPointF place = at + radius * (i / kPlaces + 1) * QPointF(std::cos(angle), std::sin(angle));
        if (isFree(place))
            return place;
    }
    return at;
}

/// The number of each cloud, as the words under the panels name it, on a disc in its middle or, where that would hide a
/// small cloud, above it.
void paintCloudNumbers(QPainter& painter, const std::vector<Centre>& centres, const QRectF& box,
                       const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const double radius = style.textPx * 0.75;
    std::vector<QPointF> taken;
    for (std::size_t cloud = 0; cloud < centres.size(); ++cloud)
    {
        if (centres[cloud].count == 0)
            continue;
        QPointF at = centres[cloud].sum / centres[cloud].count;
        if (centres[cloud].bottom - centres[cloud].top < 5 * radius)
        {
            const double above = centres[cloud].top - 1.5 * radius;
            at.setY(above - radius > box.top() ? above : centres[cloud].bottom + 1.5 * radius);
        }
        at = besideOthers(at, taken, radius);
        taken.push_back(at);
        painter.setPen(QPen(ink.hairline, 1));
        painter.setBrush(ink.background);
        painter.drawEllipse(at, radius, radius);
        drawLine(painter, {at.x() - radius, at.y() - radius, 2 * radius, 2 * radius}, QString::number(cloud + 1),
                 smallFont(style), ink.ink, Qt::AlignCenter);
    }
}

void paintPanel(QPainter& painter, const CloudMaps& maps, const CloudPanel& panel, const QRectF& box,
                const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    painter.setPen(QPen(ink.hairline, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
    float left = 1e30F;
    float right = -1e30F;
    float low = 1e30F;
    float high = -1e30F;
    for (std::int64_t i = 0; i < panel.xy.rows(); ++i)
    {
        left = std::min(left, panel.xy(i, 0));
        right = std::max(right, panel.xy(i, 0));
        low = std::min(low, panel.xy(i, 1));
        high = std::max(high, panel.xy(i, 1));
    }
    const double dot = std::clamp(box.width() / 120, 1.5, style.textPx * 0.3);
    const double room = dot + style.textPx * 0.4;
    const double scale = std::min((box.width() - 2 * room) / std::max(1e-6, static_cast<double>(right - left)),
                                  (box.height() - 2 * room) / std::max(1e-6, static_cast<double>(high - low)));
    constexpr std::int64_t kColors = 8; // of all eyes
    const CategoryPalette palette(kColors, style.theme);
    std::vector<Centre> centres(static_cast<std::size_t>(numClouds(maps)));
    painter.setPen(Qt::NoPen);
    for (std::int64_t i = 0; i < panel.xy.rows(); ++i)
    {
        const QPointF at(box.center().x() + (panel.xy(i, 0) - (left + right) / 2) * scale,
                         box.center().y() - (panel.xy(i, 1) - (low + high) / 2) * scale);
        const auto cloud = static_cast<std::size_t>(maps.clouds[static_cast<std::size_t>(i)]);
        painter.setBrush(panel.grey                   ? ink.secondary
                         : cloud < maps.colors.size() ? maps.colors[cloud]
                                                      : palette.color(static_cast<std::int32_t>(cloud)));
        painter.drawEllipse(at, dot, dot);
        Centre& centre = centres[cloud];
        centre.sum += at;
        centre.top = std::min(centre.top, at.y());
        centre.bottom = std::max(centre.bottom, at.y());
        ++centre.count;
    }
    if (std::ssize(centres) > 1 && panel.whole)
        paintCloudNumbers(painter, centres, box, style);
}

} // namespace

void paintCloudMaps(QPainter& painter, const CloudMaps& maps, const QRectF& box, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const std::size_t columns = columnsFor(maps, box.width(), style);
    const std::size_t rows = (maps.panels.size() + columns - 1) / columns;
    const double gap = style.textPx * 1.2;
    const double cell = (box.width() - gap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    const double words = wordsHeight(maps, cell, style);
    const double tall = (box.height() - gap * static_cast<double>(rows - 1)) / static_cast<double>(rows) - words;
    const double side = std::max(style.textPx * 4, std::min(cell, tall));
    const double used = static_cast<double>(columns) * side + static_cast<double>(columns - 1) * gap;
    const double down = static_cast<double>(rows) * (side + words) + static_cast<double>(rows - 1) * gap;
    for (std::size_t i = 0; i < maps.panels.size(); ++i)
    {
        const CloudPanel& panel = maps.panels[i];
        const double left = box.center().x() - used / 2 + static_cast<double>(i % columns) * (side + gap);
        double top = box.top() + std::max(0.0, (box.height() - down) / 3) +
                     static_cast<double>(i / columns) * (side + words + gap);
        top += paintBlock(painter, {left, top}, side, panel.title, boldFont(style), ink.ink);
        paintPanel(painter, maps, panel, {left, top + style.textPx * 0.3, side, side}, style);
        paintBlock(painter, {left, top + side + style.textPx * 0.5}, side, panel.words, smallFont(style),
                   ink.secondary);
    }
}

double cloudMapsHeight(const CloudMaps& maps, double width, const LessonStyle& style)
{
    const std::size_t columns = columnsFor(maps, width, style);
    const std::size_t rows = (maps.panels.size() + columns - 1) / columns;
    const double gap = style.textPx * 1.2;
    const double cell = (width - gap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    const double side = std::min(cell, style.textPx * 22);
    return static_cast<double>(rows) * (side + wordsHeight(maps, side, style) + style.textPx) +
           static_cast<double>(rows - 1) * gap;
}

QString cloudMapsWords(const CloudMaps& maps)
{
    QStringList parts;
    for (const CloudPanel& panel : maps.panels)
        parts << panel.title % QStringLiteral(": ") % panel.words;
    return parts.join(QStringLiteral(" "));
}

} // namespace headscope::viz
