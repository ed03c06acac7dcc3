// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/figure_presets.h"

#include "viz/export/figure_text.h"

#include <algorithm>
#include <array>

namespace headscope::viz
{
namespace
{

constexpr double kInch = 25.4;
constexpr double kPaperMm = 210;
constexpr double kThesisMm = 230;
constexpr double kSlideMm = 120;
constexpr double kPosterMm = 1'000;

// Widths of the text and of one column, by the style files of the venues:
// - *ACL: two columns of 77 mm on a text 160 mm wide.
// - NeurIPS, ICLR: one column of 5.5 in. ICML (and AISTATS): 3.25 in of 6.75 in. AAAI: 3.3 in of 7 in. CVPR: 3.25 in of
//   6.875 in. JMLR: 6 in.
// - A thesis on A4 with margins of 30 mm; a slide of 16:9 (254 x 143 mm), on which a figure of 4:3 is 160 mm wide; one
//   of three columns of a poster of size A0 (841 mm), read from two metres.
// Their heights: what the text of any of these venues has room for, a slide without its title, a poster without its
// head.
constexpr std::array kPresets = {
    FigurePreset{"aaai-column", 3.3 * kInch, 8, kPaperMm},
    FigurePreset{"aaai-page", 7 * kInch, 8, kPaperMm},
    FigurePreset{"acl-column", 77, 8, kPaperMm},
    FigurePreset{"acl-page", 160, 8, kPaperMm},
    FigurePreset{"cvpr-column", 3.25 * kInch, 8, kPaperMm},
    FigurePreset{"cvpr-page", 6.875 * kInch, 8, kPaperMm},
    FigurePreset{"iclr", 5.5 * kInch, 8, kPaperMm},
    FigurePreset{"icml-column", 3.25 * kInch, 8, kPaperMm},
    FigurePreset{"icml-page", 6.75 * kInch, 8, kPaperMm},
    FigurePreset{"jmlr", 6 * kInch, 8, kPaperMm},
    FigurePreset{"neurips", 5.5 * kInch, 8, kPaperMm},
    FigurePreset{"poster", 250, 24, kPosterMm},
    FigurePreset{"slide", 160, 14, kSlideMm},
    FigurePreset{"thesis", 150, 9, kThesisMm},
};

} // namespace

std::span<const FigurePreset> figurePresets()
{
    return kPresets;
}

const FigurePreset* findPreset(std::string_view name)
{
    const auto* const found =
        std::ranges::find_if(kPresets, [name](const FigurePreset& preset) { return preset.name == name; });
    return found == kPresets.end() ? nullptr : found;
}

void applyPreset(const FigurePreset& preset, FigureOptions& options)
{
    options.sizeInches = {inchesOfMm(preset.widthMm), 0};
    options.scale = preset.textPt / kFigureTextPt;
}

bool isTooHigh(const FigureRecord& record, const FigurePreset& preset)
{
    constexpr double kRounding = 0.05; // as the number is told
    return record.sizeMm.height() > preset.mostMm + kRounding;
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
