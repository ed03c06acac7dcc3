// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/pixels/indexed_pixels.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr int kBits = 5; ///< of a channel
constexpr int kDropped = 8 - kBits;
constexpr std::size_t kBins = std::size_t{1} << (3 * kBits);
constexpr std::size_t kMaxColors = 256;

std::size_t binOf(QRgb pixel)
{
    const auto high = [](int channel) { return static_cast<std::size_t>(channel >> kDropped); };
    return (high(qRed(pixel)) << (2 * kBits)) | (high(qGreen(pixel)) << kBits) | high(qBlue(pixel));
}

/// The pixels of nearly one colour.
struct Bin
{
    std::int64_t count = 0;
    std::int64_t red = 0;
    std::int64_t green = 0;
    std::int64_t blue = 0;

    void add(QRgb pixel)
    {
        ++count;
        red += qRed(pixel);
        green += qGreen(pixel);
        blue += qBlue(pixel);
    }
    [[nodiscard]] QRgb mean() const
    {
        const auto rounded = [this](std::int64_t sum) { return static_cast<int>((2 * sum + count) / (2 * count)); };
        return qRgb(rounded(red), rounded(green), rounded(blue));
    }
};

int distance(QRgb a, QRgb b)
{
    const int red = qRed(a) - qRed(b);
    const int green = qGreen(a) - qGreen(b);
    const int blue = qBlue(a) - qBlue(b);
    return red * red + green * green + blue * blue;
}

uchar nearest(const QList<QRgb>& colors, QRgb color)
{
    int least = std::numeric_limits<int>::max();
    qsizetype best = 0;
    for (qsizetype i = 0; i < colors.size(); ++i)
        if (const int away = distance(colors[i], color); away < least)
        {
            least = away;
            best = i;
        }
    return static_cast<uchar>(best);
}

} // namespace

QImage indexedPixels(const QImage& image)
{
    const QImage plain = image.convertToFormat(QImage::Format_RGB32);
    QImage indexed(plain.size(), QImage::Format_Indexed8);
    if (plain.isNull() || indexed.isNull()) // there is no memory for it
        return image;
    const auto lineOf = [&plain](int y) { return reinterpret_cast<const QRgb*>(plain.constScanLine(y)); };
    std::vector<Bin> bins(kBins);
    for (int y = 0; y < plain.height(); ++y)
        std::for_each_n(lineOf(y), plain.width(), [&bins](QRgb pixel) { bins[binOf(pixel)].add(pixel); });
    std::vector<std::size_t> used;
    for (std::size_t bin = 0; bin < kBins; ++bin)
        if (bins[bin].count > 0)
            used.push_back(bin);
    std::ranges::stable_sort(used, std::ranges::greater(), [&bins](std::size_t bin) { return bins[bin].count; });
    QList<QRgb> colors;
    std::vector<uchar> place(kBins, 0);
    for (std::size_t i = 0; i < used.size(); ++i)
    {
        const QRgb mean = bins[used[i]].mean();
        place[used[i]] = i < kMaxColors ? static_cast<uchar>(i) : nearest(colors, mean);
        if (i < kMaxColors)
            colors.append(mean);
    }
    indexed.setColorTable(colors);
    indexed.setDotsPerMeterX(image.dotsPerMeterX());
    indexed.setDotsPerMeterY(image.dotsPerMeterY());
    for (int y = 0; y < plain.height(); ++y)
        std::transform(lineOf(y), lineOf(y) + plain.width(), indexed.scanLine(y),
                       [&place](QRgb pixel) { return place[binOf(pixel)]; });
    return indexed;
}

} // namespace headscope::viz
