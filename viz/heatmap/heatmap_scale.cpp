// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_scale.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace headscope::viz
{

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
