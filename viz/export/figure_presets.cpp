// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/figure_presets.h"

#include "viz/export/figure_text.h"

#include <cmath>

namespace headscope::viz
{

void applyPreset(const FigurePreset& preset, FigureOptions& options)
{
    options.sizeInches = {inchesOfMm(preset.widthMm), 0};
    options.scale = preset.textPt / kFigureTextPt;
}

double mostHeightMm(double widthMm, const FigurePreset* preset)
{
    constexpr QSizeF kPaper(210, 297); // A4
    if (preset != nullptr)
        return preset->mostMm;
    return std::abs(widthMm - kPaper.width()) < 1 ? kPaper.height() : kPageMm;
}

bool isTooHigh(const QSizeF& sizeMm, const FigurePreset* preset)
{
    constexpr double kRounding = 0.05; // as the number is told
    return sizeMm.height() > mostHeightMm(sizeMm.width(), preset) + kRounding;
}

bool isTooSmall(double textPt)
{
    constexpr double kRounding = 0.05; // as the number is told
    return textPt > 0 && textPt < kMinReadablePt - kRounding;
}

bool isTooSmall(const FigureRecord& record)
{
    return isTooSmall(record.leastTextPt);
}

} // namespace headscope::viz
