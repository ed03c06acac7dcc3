// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/thumbnail_atlas.h"

#include "model/base/parallel.h"
#include "viz/attention/shown_weights.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headscope::viz
{
namespace
{

/// What of a run of `count` values falls on each of `pixels`: first value, and its weights.
struct Coverage
{
    std::int64_t first = 0;
    std::vector<float> weights; ///< lengths in values
};

std::vector<Coverage> coverages(std::int64_t count, int pixels)
{
    std::vector<Coverage> all(static_cast<std::size_t>(pixels));
    const double step = static_cast<double>(count) / pixels;
    for (int pixel = 0; pixel < pixels; ++pixel)
    {
        const double begin = pixel * step;
        const double end = std::min(static_cast<double>(count), (pixel + 1) * step);
        Coverage& each = all[static_cast<std::size_t>(pixel)];
        each.first = std::min(count - 1, static_cast<std::int64_t>(begin));
        for (std::int64_t i = each.first; i < count && static_cast<double>(i) < end; ++i)
            each.weights.push_back(static_cast<float>(std::min(end, static_cast<double>(i + 1)) -
                                                      std::max(begin, static_cast<double>(i))));
    }
    return all;
}

/// Shares at the size of a picture, [height, width]: means over what is covered, NaN where nothing has a value.
class Resampler
{
public:
    Resampler(std::int64_t side, QSize size)
        : m_side(side), m_rows(coverages(side, size.height())), m_columns(coverages(side, size.width()))
    {}

    /// @param paint  called with (x, y, mean) of every pixel
    template <class Paint>
    void run(const std::vector<float>& values, const Paint& paint)
    {
        for (std::size_t y = 0; y < m_rows.size(); ++y)
            for (std::size_t x = 0; x < m_columns.size(); ++x)
                paint(static_cast<int>(x), static_cast<int>(y), mean(values, m_rows[y], m_columns[x]));
    }

private:
    [[nodiscard]] float mean(const std::vector<float>& values, const Coverage& rows, const Coverage& columns) const
    {
        float sum = 0;
        float area = 0;
        for (std::size_t i = 0; i < rows.weights.size(); ++i)
        {
            const float* row = values.data() + (rows.first + static_cast<std::int64_t>(i)) * m_side + columns.first;
            for (std::size_t j = 0; j < columns.weights.size(); ++j)
                if (const float weight = rows.weights[i] * columns.weights[j]; !std::isnan(row[j]))
                {
                    sum += weight * row[j];
                    area += weight;
                }
        }
        return area > 0 ? sum / area : std::numeric_limits<float>::quiet_NaN();
    }

    std::int64_t m_side;
    std::vector<Coverage> m_rows;
    std::vector<Coverage> m_columns;
};

} // namespace

void thumbnailShares(const AttentionRun& run, LayerIndex layer, HeadIndex head, bool withoutFirst,
                     std::vector<float>& out)
{
    const ConstMatrixView cells = run.thumbnail(layer, head);
    const std::int64_t side = cells.rows();
    out.resize(static_cast<std::size_t>(side * side));
    // A mean of entries times the columns it stands for is what these columns get of a row.
    const float columns = static_cast<float>(run.tokenCount()) / static_cast<float>(std::max<std::int64_t>(1, side));
    for (std::int64_t row = 0; row < side; ++row)
    {
        float* to = out.data() + row * side;
        for (std::int64_t column = 0; column < side; ++column)
            to[column] = run.causal && column > row ? std::numeric_limits<float>::quiet_NaN()
                                                    : std::min(1.0F, cells(row, column) * columns);
        if (!withoutFirst || side == 0)
            continue;
        const auto factor =
            static_cast<float>(factorWithoutFirst(std::span<const float>(to, static_cast<std::size_t>(side))));
        to[0] = 0;
        for (std::int64_t column = 1; column < side && !std::isnan(to[column]); ++column)
            to[column] = std::min(1.0F, to[column] * factor);
    }
}

void ThumbnailAtlas::prepare(const AttentionRunPtr& run, QSize pixels, InkTheme theme, bool withoutFirst,
                             int numThreads)
{
    const Key key{run.get(), pixels, theme, withoutFirst};
    if (key == m_key && !m_image.isNull())
        return;
    m_key = key;
    m_run = run;
    const std::int64_t heads = run->model.heads;
    const auto layers = static_cast<std::int64_t>(run->layers.size());
    m_image = QImage(static_cast<int>(heads) * pixels.width(), static_cast<int>(layers) * pixels.height(),
                     QImage::Format_RGB32);
    if (m_image.isNull() || run->thumbnailSide == 0)
        return;
    const QRgb unwritten = unwrittenColor(theme).rgb();
    const QRgb takenOut = takenOutColor(theme).rgb();
    const ColorMap& map = attentionMap(theme);
    const double side = static_cast<double>(run->thumbnailSide);
    // How many pixels the first column takes.
    const int first = withoutFirst ? std::max(1, static_cast<int>(std::lround(pixels.width() / side))) : 0;
    uchar* const bits = m_image.bits();
    const qsizetype stride = m_image.bytesPerLine();
    parallelFor(numThreads, layers, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> shares;
        Resampler resampler(run->thumbnailSide, pixels);
        for (std::int64_t row = begin; row < end; ++row)
            for (std::int64_t head = 0; head < heads; ++head)
            {
                thumbnailShares(*run, run->layers[static_cast<std::size_t>(row)], HeadIndex(head), withoutFirst,
                                shares);
                resampler.run(shares, [&](int x, int y, float share) {
                    auto* line = reinterpret_cast<QRgb*>(bits + (row * pixels.height() + y) * stride);
                    line[head * pixels.width() + x] = std::isnan(share) ? unwritten
                                                      : x < first       ? takenOut
                                                                        : map.at(attentionPlace(share));
                });
            }
    });
}

QRect ThumbnailAtlas::part(ThumbnailCell cell) const
{
    return {QPoint(static_cast<int>(cell.head.value()) * m_key.pixels.width(),
                   static_cast<int>(cell.row) * m_key.pixels.height()),
            m_key.pixels};
}

void paintThumbnails(QPainter& painter, const ThumbnailGridLayout& layout, const ThumbnailAtlas& atlas)
{
    painter.save();
    painter.setClipRect(layout.window());
    const auto [firstRow, lastRow] = layout.rowsInView();
    const auto [firstHead, lastHead] = layout.headsInView();
    for (std::int64_t row = firstRow; row < lastRow; ++row)
        for (std::int64_t head = firstHead; head < lastHead; ++head)
        {
            const ThumbnailCell cell{row, HeadIndex(head)};
            painter.drawImage(layout.cellRect(cell), atlas.image(), atlas.part(cell));
        }
    painter.restore();
}

} // namespace headscope::viz
