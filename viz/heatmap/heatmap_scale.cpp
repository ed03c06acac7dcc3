// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_scale.h"

namespace headscope::viz
{

ScaleLimits heatmapLimits(const Heatmap& heatmap)
{
    return roundedOutwards(robustLimits(heatmap.values.values()).value_or(ScaleLimits{-1, 1}));
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
