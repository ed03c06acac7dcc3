// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/region_labels.h"

#include "viz/axis/text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QPen>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr int kSide = 64; ///< cells
constexpr int kReach = 2; ///< windows are 2 reach + 1 cells wide
constexpr int kApart = 5; ///< cells between two regions of one label
constexpr int kMaxRegions = 12;
constexpr std::size_t kMaxLabels = 60;
/// A label rules a window where most of the documents are its own, and twice as many as anywhere on
/// the map; of a label that is most of the map, nearly all. On a map of heads every cluster holds all
/// topics, each about its share of the whole: none rules, and none is named.
constexpr double kMajority = 0.5;
constexpr double kOverExpected = 2.0;
constexpr double kRules = 0.9;
/// Fewer documents, or fewer above the expected number, may be most of a window by chance, and a map
/// has hundreds of windows for each label.
constexpr double kMinDocuments = 8;
constexpr double kMinDeviations = 5; ///< binomial standard deviations above the expected number
constexpr double kMinShare = 0.02;   ///< of the label's points
constexpr double kTextPx = 12;
constexpr double kAreaPerName = 36'000; ///< square pixels: more names than that hide the map
constexpr std::size_t kFewNames = 6;
constexpr double kMaxWidth = 180;
constexpr double kGap = 4;

using Grid = std::vector<float>; ///< [kSide * kSide]

std::size_t cellOf(int column, int row)
{
    return static_cast<std::size_t>(row * kSide + column);
}

/// Sums over windows around every cell.
Grid windowed(const Grid& grid)
{
    const auto pass = [](const Grid& from, int stepColumn, int stepRow) {
        Grid to(from.size(), 0.0F);
        for (int row = 0; row < kSide; ++row)
            for (int column = 0; column < kSide; ++column)
                for (int k = -kReach; k <= kReach; ++k)
                {
                    const int c = column + k * stepColumn;
                    const int r = row + k * stepRow;
                    if (c >= 0 && r >= 0 && c < kSide && r < kSide)
                        to[cellOf(column, row)] += from[cellOf(c, r)];
                }
        return to;
    };
    return pass(pass(grid, 1, 0), 0, 1);
}

/// The most frequent labels, most frequent first.
std::vector<std::int32_t> frequentLabels(std::span<const std::int32_t> codes, std::size_t labels)
{
    std::vector<std::int64_t> counts(labels, 0);
    for (const std::int32_t code : codes)
        if (code >= 0 && static_cast<std::size_t>(code) < labels)
            ++counts[static_cast<std::size_t>(code)];
    std::vector<std::int32_t> order(labels);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&counts](std::int32_t a, std::int32_t b) {
        return counts[static_cast<std::size_t>(a)] > counts[static_cast<std::size_t>(b)];
    });
    if (order.size() > kMaxLabels)
        order.resize(kMaxLabels);
    return order;
}

/// Where the grid lies in the map.
struct Frame
{
    QRectF bounds;
    double cell = 1; ///< data units

    [[nodiscard]] int column(double x) const
    {
        return std::clamp(static_cast<int>((x - bounds.left()) / cell), 0, kSide - 1);
    }
    [[nodiscard]] int row(double y) const
    {
        return std::clamp(static_cast<int>((y - bounds.top()) / cell), 0, kSide - 1);
    }
};

/// The mean place of what a window holds.
QPointF meanPlace(const Frame& frame, const Grid& grid, int column, int row)
{
    QPointF sum;
    double weight = 0;
    for (int r = std::max(0, row - kReach); r <= std::min(kSide - 1, row + kReach); ++r)
        for (int c = std::max(0, column - kReach); c <= std::min(kSide - 1, column + kReach); ++c)
        {
            const auto points = static_cast<double>(grid[cellOf(c, r)]);
            sum += points * QPointF(c + 0.5, r + 0.5);
            weight += points;
        }
    return frame.bounds.topLeft() + sum * (frame.cell / std::max(1.0, weight));
}

/// Whose points lie in each cell.
struct CellPoints
{
    std::vector<std::size_t> start;  ///< [cells + 1]
    std::vector<std::size_t> points; ///< by cell
    std::span<const std::int32_t> codes;
    std::span<const std::int32_t> documents; ///< or empty

    CellPoints(const std::vector<std::int32_t>& cells, std::span<const std::int32_t> codesOf,
               std::span<const std::int32_t> documentsOf)
        : start(kSide * kSide + 1, 0), codes(codesOf), documents(documentsOf)
    {
        for (const std::int32_t cell : cells)
            if (cell >= 0)
                ++start[static_cast<std::size_t>(cell) + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        points.resize(start.back());
        std::vector<std::size_t> next(start.begin(), start.end() - 1);
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i] >= 0)
                points[next[static_cast<std::size_t>(cells[i])]++] = i;
    }

    /// Whether a label of this share of the map rules the window, counted in documents.
    [[nodiscard]] bool rules(std::int32_t code, double share, int column, int row) const
    {
        std::vector<std::pair<std::int64_t, bool>> found; // document, whether it has the label
        for (int r = std::max(0, row - kReach); r <= std::min(kSide - 1, row + kReach); ++r)
            for (int c = std::max(0, column - kReach); c <= std::min(kSide - 1, column + kReach); ++c)
                for (std::size_t k = start[cellOf(c, r)]; k < start[cellOf(c, r) + 1]; ++k)
                {
                    const std::size_t point = points[k];
                    const auto document = documents.empty() ? static_cast<std::int64_t>(point)
                                                            : static_cast<std::int64_t>(documents[point]);
                    found.emplace_back(document, codes[point] == code);
                }
        std::ranges::sort(found);
        found.erase(std::unique(found.begin(), found.end()), found.end());
        const auto all = static_cast<double>(found.size());
        const auto own = static_cast<double>(std::ranges::count(found, true, &std::pair<std::int64_t, bool>::second));
        return own >= kMinDocuments && own >= all * std::clamp(kOverExpected * share, kMajority, kRules) &&
               own - all * share >= kMinDeviations * std::sqrt(all * share * (1 - share));
    }
};

/// One label among all: its points by cell, and what lies in the windows around each cell.
struct LabelGrid
{
    const QString& name;
    std::int32_t code = 0;
    const Grid& points;
    const Grid& sums;
    const Grid& allSums;  ///< of all points
    const Grid& mostSums; ///< of the label that has most there
    double share = 0;     ///< of all points
};

void addRegions(const Frame& frame, const LabelGrid& label, const CellPoints& cells, std::vector<Region>& regions)
{
    constexpr int kMaxLooks = 4 * kMaxRegions; // windows of points that turn out to be few documents
    const auto& [name, code, grid, sums, allSums, mostSums, share] = label;
    const double leastShare = std::clamp(kOverExpected * share, kMajority, kRules);
    Grid weights(sums.size(), 0.0F);
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (sums[i] > 0 && sums[i] >= mostSums[i] && static_cast<double>(sums[i] / allSums[i]) >= leastShare)
            weights[i] = sums[i] * sums[i] / allSums[i];
    const double points = std::accumulate(grid.begin(), grid.end(), 0.0);
    const double least = std::max(kMinDocuments, kMinShare * points);
    int found = 0;
    for (int looked = 0; looked < kMaxLooks && found < kMaxRegions; ++looked)
    {
        const auto best = std::max_element(weights.begin(), weights.end());
        const auto cell = static_cast<int>(best - weights.begin());
        if (static_cast<double>(sums[static_cast<std::size_t>(cell)]) < least || *best <= 0)
            return;
        const int column = cell % kSide;
        const int row = cell / kSide;
        const bool rules = cells.rules(code, share, column, row);
        found += rules ? 1 : 0;
        if (rules)
            regions.push_back(
                {name, meanPlace(frame, grid, column, row), (kReach + 0.5) * frame.cell, static_cast<double>(*best)});
        const int apart = rules ? kApart : kReach;
        for (int r = std::max(0, row - apart); r <= std::min(kSide - 1, row + apart); ++r)
            for (int c = std::max(0, column - apart); c <= std::min(kSide - 1, column + apart); ++c)
                weights[cellOf(c, r)] = 0;
    }
}

/// The points that are not hidden.
struct ShownPoints
{
    std::vector<float> xy;
    std::vector<std::int32_t> codes;
    std::vector<std::int32_t> documents; ///< or empty

    ShownPoints(std::span<const float> allXy, std::span<const std::int32_t> allCodes,
                std::span<const std::int32_t> allDocuments, std::span<const PointState> states)
    {
        const std::size_t all = std::min({allXy.size() / 2, allCodes.size(), states.size()});
        for (std::size_t i = 0; i < all; ++i)
        {
            if (states[i] == PointState::Hidden)
                continue;
            xy.insert(xy.end(), {allXy[2 * i], allXy[2 * i + 1]});
            codes.push_back(allCodes[i]);
            if (i < allDocuments.size())
                documents.push_back(allDocuments[i]);
        }
    }
};

} // namespace

std::vector<Region> findRegions(std::span<const float> xy, std::span<const std::int32_t> codes,
                                const QStringList& names, std::span<const std::int32_t> documents,
                                std::span<const PointState> states)
{
    if (std::ranges::find(states, PointState::Hidden) != states.end())
    {
        const ShownPoints shown(xy, codes, documents, states);
        return findRegions(shown.xy, shown.codes, names, shown.documents);
    }
    std::vector<Region> regions;
    const auto bounds = dataBounds(xy);
    if (!bounds || names.isEmpty())
        return regions;
    const double extent = std::max(bounds->width(), bounds->height());
    const Frame frame{*bounds, extent > 0 ? extent / kSide : 1.0};
    const auto labels = frequentLabels(codes, static_cast<std::size_t>(names.size()));
    std::vector<std::int32_t> place(static_cast<std::size_t>(names.size()), -1);
    for (std::size_t i = 0; i < labels.size(); ++i)
        place[static_cast<std::size_t>(labels[i])] = static_cast<std::int32_t>(i);
    std::vector<Grid> grids(labels.size(), Grid(kSide * kSide, 0.0F));
    Grid all(kSide * kSide, 0.0F);
    std::vector<std::int32_t> cells(std::min(codes.size(), xy.size() / 2), -1);
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        const auto x = static_cast<double>(xy[2 * i]);
        const auto y = static_cast<double>(xy[2 * i + 1]);
        if (!std::isfinite(x) || !std::isfinite(y))
            continue;
        const std::size_t cell = cellOf(frame.column(x), frame.row(y));
        cells[i] = static_cast<std::int32_t>(cell);
        all[cell] += 1;
        if (codes[i] >= 0 && static_cast<std::size_t>(codes[i]) < place.size())
            if (const std::int32_t label = place[static_cast<std::size_t>(codes[i])]; label >= 0)
                grids[static_cast<std::size_t>(label)][cell] += 1;
    }
    const Grid allSums = windowed(all);
    std::vector<Grid> sums;
    Grid mostSums(all.size(), 0.0F);
    for (const Grid& grid : grids)
    {
        sums.push_back(windowed(grid));
        for (std::size_t i = 0; i < mostSums.size(); ++i)
            mostSums[i] = std::max(mostSums[i], sums.back()[i]);
    }
    const CellPoints cellPoints(cells, codes,
                                documents.size() < cells.size() ? std::span<const std::int32_t>() : documents);
    const double total = std::accumulate(all.begin(), all.end(), 0.0);
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        const double share = std::accumulate(grids[i].begin(), grids[i].end(), 0.0) / std::max(1.0, total);
        addRegions(frame, {names[labels[i]], labels[i], grids[i], sums[i], allSums, mostSums, share}, cellPoints,
                   regions);
    }
    std::ranges::stable_sort(regions, [](const Region& a, const Region& b) { return a.weight > b.weight; });
    return regions;
}

std::vector<RegionLabel> placeRegionLabels(std::span<const Region> regions, const ViewTransform& view,
                                           std::span<const QRectF> avoid)
{
    std::vector<RegionLabel> labels;
    if (regions.empty() || view.viewSize().isEmpty())
        return labels;
    const QFont font = textFont(kTextPx, QFont::DemiBold);
    const QRectF room = QRectF(QPointF(0, 0), view.viewSize()).adjusted(kGap, kGap, -kGap, -kGap);
    const double heaviest = regions.front().weight;
    const double area = view.viewSize().width() * view.viewSize().height();
    const std::size_t most = std::max(kFewNames, static_cast<std::size_t>(area / kAreaPerName));
    for (const Region& region : regions)
    {
        if (labels.size() == most)
            break;
        const QString text = elidedMiddle(region.name, font, kMaxWidth);
        const QSizeF size(textWidth(text, font), lineHeight(font));
        QRectF box(QPointF(), size);
        box.moveCenter(view.screenFromData(region.centre));
        // A name wants a region about half as wide as itself; light regions want more zoom.
        const double width = 2 * region.radius * view.scale() * std::pow(region.weight / heaviest, 0.25);
        const double opacity = std::clamp((width / std::min(size.width(), 96.0) - 0.25) / 0.25, 0.0, 1.0);
        if (opacity < 0.05 || !room.contains(box))
            continue;
        const QRectF claimed = box.adjusted(-kGap, -kGap / 2, kGap, kGap / 2);
        const auto covers = [&claimed](const QRectF& other) { return other.intersects(claimed); };
        if (std::ranges::any_of(avoid, covers) ||
            std::ranges::any_of(labels, [&covers](const RegionLabel& label) { return covers(label.box); }))
            continue;
        labels.push_back({text, box, opacity});
    }
    return labels;
}

std::vector<RegionLabel> movedRegionLabels(std::span<const RegionLabel> labels, const ViewTransform& from,
                                           const ViewTransform& to)
{
    constexpr double kStep = 0.95;
    const QRectF room(QPointF(0, 0), to.viewSize());
    std::vector<RegionLabel> moved(labels.begin(), labels.end());
    // Where all of them stood side by side in the one view, they do so in the other at its scale.
    const double least = std::min(1.0, to.scale() / from.scale());
    for (double scale = 1; scale > kStep * least; scale *= kStep)
    {
        bool collide = false;
        for (std::size_t i = 0; i < moved.size(); ++i)
        {
            moved[i].box = QRectF(QPointF(), labels[i].box.size() * scale);
            moved[i].box.moveCenter(to.screenFromData(from.dataFromScreen(labels[i].box.center())));
            collide = collide || !room.contains(moved[i].box);
            for (std::size_t k = 0; k < i && !collide; ++k)
                collide = moved[k].box.intersects(moved[i].box);
        }
        if (!collide)
            break;
    }
    return moved;
}

std::vector<RegionLabel> printedRegionLabels(std::span<const RegionLabel> labels, const ViewTransform& from,
                                             const ViewTransform& to, double height)
{
    constexpr int kTries = 9; // its own place, then lines above and below in turn
    const double gap = height / 4;
    const double scale = height / kTextPx;
    const QSizeF room = to.viewSize();
    std::vector<RegionLabel> placed;
    for (const RegionLabel& label : labels)
    {
        RegionLabel moved = label;
        moved.box = QRectF(QPointF(), label.box.size() * scale);
        moved.opacity = 1; // nothing fades on paper
        const QPointF centre = to.screenFromData(from.dataFromScreen(label.box.center()));
        double least = std::numeric_limits<double>::infinity();
        for (int i = 0; i < kTries && least > 0; ++i)
        {
            QRectF box = moved.box;
            box.moveCenter(centre + QPointF(0, (i % 2 == 0 ? -1 : 1) * ((i + 1) / 2) * box.height()));
            box.moveLeft(std::clamp(box.left(), 0.0, std::max(0.0, room.width() - box.width())));
            box.moveTop(std::clamp(box.top(), 0.0, std::max(0.0, room.height() - box.height())));
            double covered = 0;
            for (const RegionLabel& other : placed)
            {
                const QRectF common = other.box.adjusted(-gap, 0, gap, 0).intersected(box);
                covered += common.width() * common.height();
            }
            if (covered < least)
            {
                least = covered;
                moved.box = box;
            }
        }
        if (least <= 0) // else one that weighs more has its place
            placed.push_back(moved);
    }
    return placed;
}

void paintRegionLabels(QPainter& painter, std::span<const RegionLabel> labels, InkTheme theme)
{
    const Inks& ink = inks(theme);
    const QFont font = textFont(kTextPx, QFont::DemiBold);
    const double ascent = QFontMetricsF(font).ascent();
    const double height = lineHeight(font);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const RegionLabel& label : labels)
    {
        QPainterPath glyphs;
        const double scale = label.box.height() / height; // 1 but where they were moved to a smaller view
        glyphs.addText(QPointF(0, ascent), font, label.text);
        glyphs = QTransform(scale, 0, 0, scale, label.box.left(), label.box.top()).map(glyphs);
        QColor halo = ink.background;
        halo.setAlpha(215);
        painter.setOpacity(label.opacity);
        painter.strokePath(glyphs, QPen(halo, 4 * scale, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.fillPath(glyphs, ink.ink);
    }
    painter.restore();
}

} // namespace headscope::viz
