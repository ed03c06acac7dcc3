// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_image.h"

#include "model/base/parallel.h"
#include "viz/color/oklab.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace headscope::viz
{
namespace
{

/// Pale columns are moved so far towards the canvas.
constexpr double kWash = 0.78;
/// Smaller cells without a value would be all stripe or none.
constexpr int kHatchedFrom = 5;
/// Lines that one thread paints in one go.
constexpr std::int64_t kLines = 16;
/// Cells of a part from which on several threads paint it.
constexpr double kWorthThreads = 400'000;

/// Items that share a pixel: one where there are fewer items than pixels.
struct ItemRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool operator==(const ItemRange&) const = default;
};

/// @param first, last  the range stays inside, and is never empty
ItemRange itemsOfPixel(int pixel, double begin, double end, int pixels, std::int64_t first, std::int64_t last)
{
    // Multiplied before divided: whole numbers stay whole.
    const auto place = [&](int edge) {
        return static_cast<std::int64_t>(std::floor(begin + (end - begin) * edge / pixels));
    };
    const std::int64_t from = std::clamp(place(pixel), first, last - 1);
    return {from, std::clamp(place(pixel + 1), from + 1, last)};
}

/// Paints the lines of a picture.
class Rasteriser
{
public:
    Rasteriser(const HeatmapCells& cells, const HeatmapPart& part, const ColorScale& scale, InkTheme theme)
        : m_cells(cells), m_part(part), m_table(scale), m_pale(scale, kWash, inks(theme).background),
          m_missing(inks(theme).missing.rgb()),
          m_stripe(mixed(inks(theme).missing, inks(theme).background, 0.55).rgb()),
          m_hatched(part.width >= kHatchedFrom * (part.columnEnd - part.columnBegin) &&
                    part.height >= kHatchedFrom * (part.rowEnd - part.rowBegin))
    {
        m_columns.reserve(static_cast<std::size_t>(part.width));
        m_isLit.assign(static_cast<std::size_t>(part.width), 1);
        for (int x = 0; x < part.width; ++x)
        {
            const ItemRange columns =
                itemsOfPixel(x, part.columnBegin, part.columnEnd, part.width, part.firstColumn, part.lastColumn);
            m_columns.push_back(columns);
            if (!part.lit.empty())
                m_isLit[static_cast<std::size_t>(x)] =
                    std::any_of(part.lit.begin() + columns.begin, part.lit.begin() + columns.end,
                                [](std::uint8_t lit) { return lit != 0; })
                        ? 1
                        : 0;
        }
    }

    void paint(QRgb* pixels, qsizetype stride, std::int64_t firstLine, std::int64_t lastLine) const
    {
        ItemRange above{-1, -1};
        for (std::int64_t y = firstLine; y < lastLine; ++y)
        {
            QRgb* line = pixels + y * stride;
            const ItemRange rows = itemsOfPixel(static_cast<int>(y), m_part.rowBegin, m_part.rowEnd, m_part.height, 0,
                                                static_cast<std::int64_t>(m_part.rows.size()));
            if (rows == above && !m_hatched)
                std::copy_n(line - stride, m_part.width, line);
            else
                paintLine(line, static_cast<int>(y), rows);
            above = rows;
        }
    }

private:
    void paintLine(QRgb* line, int y, ItemRange rowRange) const
    {
        const auto rows = m_part.rows.subspan(static_cast<std::size_t>(rowRange.begin),
                                              static_cast<std::size_t>(rowRange.end - rowRange.begin));
        ItemRange last{-1, -1};
        double value = 0;
        for (int x = 0; x < m_part.width; ++x)
        {
            const ItemRange columns = m_columns[static_cast<std::size_t>(x)];
            if (!(columns == last))
                value = m_cells.pooled(rows, columns.begin, columns.end, m_part.pooling);
            last = columns;
            if (std::isnan(value))
                line[x] = m_hatched && (x + y) % 4 == 0 ? m_stripe : m_missing;
            else
                line[x] = m_isLit[static_cast<std::size_t>(x)] != 0 ? m_table(value) : m_pale(value);
        }
    }

    const HeatmapCells& m_cells;
    const HeatmapPart& m_part;
    ColorTable m_table;
    ColorTable m_pale;
    QRgb m_missing;
    QRgb m_stripe;
    bool m_hatched;
    std::vector<ItemRange> m_columns;  // of each pixel
    std::vector<std::uint8_t> m_isLit; // each pixel
};

} // namespace

PixelSpan pixelSpan(std::int64_t i, std::int64_t count, int pixels)
{
    if (count <= 0)
        return {};
    const auto edge = [count, pixels](std::int64_t item) {
        return static_cast<int>((item * pixels + count - 1) / count); // ceil
    };
    return {edge(i), edge(i + 1)};
}

HeatmapRaster heatmapPart(const HeatmapCells& cells, const HeatmapPart& part, const ColorScale& scale, InkTheme theme)
{
    HeatmapRaster raster;
    if (part.width <= 0 || part.height <= 0 || part.lastColumn <= part.firstColumn || part.rows.empty() ||
        !(part.columnEnd > part.columnBegin) || !(part.rowEnd > part.rowBegin))
        return raster;
    raster.image = QImage(part.width, part.height, QImage::Format_RGB32);
    if (raster.image.isNull())
        return raster;
    raster.columnsPerPixel = (part.columnEnd - part.columnBegin) / part.width;
    raster.averaged = raster.columnsPerPixel > 1 || part.rowEnd - part.rowBegin > part.height;
    const auto first = std::clamp(static_cast<std::int64_t>(part.columnBegin), part.firstColumn, part.lastColumn);
    const auto last =
        std::clamp(static_cast<std::int64_t>(std::ceil(part.columnEnd)), part.firstColumn, part.lastColumn);
    for (const std::int64_t row : part.rows)
        raster.missing += cells.missing(row, first, last);
    const Rasteriser rasteriser(cells, part, scale, theme);
    auto* pixels = reinterpret_cast<QRgb*>(raster.image.bits());
    const qsizetype stride = raster.image.bytesPerLine() / qsizetype{sizeof(QRgb)};
    // A small block is painted sooner than a second thread is woken.
    const double work =
        (part.rowEnd - part.rowBegin) * std::max<double>(part.width, raster.columnsPerPixel * part.width);
    parallelFor(work < kWorthThreads ? 1 : part.numThreads, part.height, kLines,
                [&](std::int64_t begin, std::int64_t end) { rasteriser.paint(pixels, stride, begin, end); });
    return raster;
}

HeatmapRaster heatmapImage(ConstMatrixView values, std::span<const std::int64_t> rows, std::int64_t columnBegin,
                           std::int64_t columnEnd, const ColorScale& scale, InkTheme theme, int width, int height)
{
    HeatmapPart part;
    part.rows = rows;
    part.rowEnd = static_cast<double>(rows.size());
    part.columnBegin = static_cast<double>(columnBegin);
    part.columnEnd = static_cast<double>(columnEnd);
    part.firstColumn = columnBegin;
    part.lastColumn = columnEnd;
    part.width = width;
    part.height = height;
    return heatmapPart(HeatmapCells(values), part, scale, theme);
}

} // namespace headscope::viz
