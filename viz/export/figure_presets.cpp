// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/figure_presets.h"

#include "viz/export/figure_text.h"

namespace headscope::viz
{

void applyPreset(const FigurePreset& preset, FigureOptions& options)
{
    options.sizeInches = {inchesOfMm(preset.widthMm), 0};
    options.scale = preset.textPt / kFigureTextPt;
}

double mostHeightMm(const FigurePreset* preset)
{
    return preset == nullptr ? kPageMm : preset->mostMm;
}

bool isTooHigh(double heightMm, const FigurePreset* preset)
{
    constexpr double kRounding = 0.05; // as the number is told
    return heightMm > mostHeightMm(preset) + kRounding;
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
