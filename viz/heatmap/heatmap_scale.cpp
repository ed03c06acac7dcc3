// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_scale.h"

#include "model/base/text/fixed_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::viz
{
namespace
{

/// The least and the largest similarity of two topics; none where there are no two.
std::optional<ScaleLimits> limitsOfOthers(const MatrixD& similarities)
{
    std::vector<float> others;
    for (std::int64_t row = 0; row < similarities.rows(); ++row)
        for (std::int64_t column = 0; column < row; ++column)
            others.push_back(static_cast<float>(similarities(row, column)));
    return robustLimits(others, 0, 1);
}

} // namespace

ScaleLimits heatmapLimits(const Heatmap& heatmap)
{
    constexpr std::size_t kMaxForLimits = 1'000'000; // more values would not move them
    const std::span<const float> all = heatmap.values.values();
    const std::size_t step = std::max<std::size_t>(1, all.size() / kMaxForLimits);
    std::vector<float> some;
    for (std::size_t i = 0; step > 1 && i < all.size(); i += step)
        some.push_back(all[i]);
    return roundedOutwards(robustLimits(step > 1 ? some : all).value_or(ScaleLimits{-1, 1}));
}

ScaleLimits commonLimits(std::span<const std::shared_ptr<const Heatmap>> heatmaps)
{
    ScaleLimits limits = heatmapLimits(*heatmaps.front());
    for (const auto& heatmap : heatmaps)
    {
        const ScaleLimits own = heatmapLimits(*heatmap);
        limits = {std::min(limits.low, own.low), std::max(limits.high, own.high)};
    }
    return limits;
}

ColorScale heatmapScale(ScaleLimits limits, InkTheme theme)
{
    return {divergingMap(theme), limits, (limits.low + limits.high) / 2};
}

ScaleChoice similarityScale(const MatrixD& similarities)
{
    const ScaleLimits limits = limitsOfOthers(similarities).value_or(ScaleLimits{0, 1});
    if (limits.low > 0)
        return {ScaleChoice::Kind::Sequential, roundedOutwards({limits.low, std::max(1.0, limits.high)}), 0.5};
    const ScaleLimits rounded = roundedOutwards(limits);
    return {ScaleChoice::Kind::Diverging, rounded, (rounded.low + rounded.high) / 2};
}

int similarityDecimals(const MatrixD& similarities)
{
    constexpr double kEqual = 1e-5;
    const auto limits = limitsOfOthers(similarities);
    if (!limits)
        return decimalsOfExtent(1);
    const double extent = limits->high - limits->low;
    return decimalsOfExtent(extent > kEqual ? extent : std::abs(1 - limits->low)); // a single pair beside the diagonal
}

const QString& heatmapScaleTitle()
{
    static const QString title = QStringLiteral("cosine");
    return title;
}

double scaleMiddle(const ColorScale& scale)
{
    return scale.centre().value_or((scale.limits().low + scale.limits().high) / 2);
}

QString scaleMiddleName()
{
    return QStringLiteral("white");
}

QString topicLetter(std::int64_t i)
{
    QString letters;
    for (std::int64_t rest = i; rest >= 0; rest = rest / 26 - 1)
        letters.prepend(QChar(static_cast<char16_t>(u'A' + rest % 26)));
    return letters;
}

} // namespace headscope::viz
