// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/figures/figure_paper.h"

#include "model/base/fields/fields.h"

#include <algorithm>
#include <array>

namespace headscope
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
    FigurePreset{"aaai-column", "AAAI, one column", 3.3 * kInch, 8, kPaperMm},
    FigurePreset{"aaai-page", "AAAI, the page", 7 * kInch, 8, kPaperMm},
    FigurePreset{"acl-column", "ACL, one column", 77, 8, kPaperMm},
    FigurePreset{"acl-page", "ACL, the page", 160, 8, kPaperMm},
    FigurePreset{"cvpr-column", "CVPR, one column", 3.25 * kInch, 8, kPaperMm},
    FigurePreset{"cvpr-page", "CVPR, the page", 6.875 * kInch, 8, kPaperMm},
    FigurePreset{"iclr", "ICLR", 5.5 * kInch, 8, kPaperMm},
    FigurePreset{"icml-column", "ICML, one column", 3.25 * kInch, 8, kPaperMm},
    FigurePreset{"icml-page", "ICML, the page", 6.75 * kInch, 8, kPaperMm},
    FigurePreset{"jmlr", "JMLR", 6 * kInch, 8, kPaperMm},
    FigurePreset{"neurips", "NeurIPS", 5.5 * kInch, 8, kPaperMm},
    FigurePreset{"poster", "Poster", 250, 24, kPosterMm},
    FigurePreset{"slide", "Slide", 160, 14, kSlideMm},
    FigurePreset{"thesis", "Thesis", 150, 9, kThesisMm},
};

constexpr std::array kColumnWords = {FieldWord{"auto", "As many columns as fit"},
                                     FieldWord{"1", "1 column"},
                                     FieldWord{"2", "2 columns"},
                                     FieldWord{"3", "3 columns"},
                                     FieldWord{"4", "4 columns"},
                                     FieldWord{"5", "5 columns"},
                                     FieldWord{"6", "6 columns"}};

std::string presetFault(const std::string& name)
{
    return name.empty() || findPreset(name) != nullptr ? std::string() : "expected a venue, found \"" + name + '"';
}

} // namespace

std::span<const FigurePreset> figurePresets()
{
    return kPresets;
}

const FigurePreset* findPreset(std::string_view name)
{
    const auto* const found = std::ranges::find(kPresets, name, &FigurePreset::name);
    return found == kPresets.end() ? nullptr : found;
}

std::vector<std::string> presetWords(std::string_view first)
{
    std::vector<std::string> words = {std::string(first)};
    for (const FigurePreset& preset : kPresets)
        words.emplace_back(preset.name);
    return words;
}

void fields(Fields& f, FigurePaper& o)
{
    f("width", o.widthMm)
        .label("Width", "Width of the saved figure, in millimetres.")
        .within(60, 1'000)
        .offers(60, 1'000)
        .unit("mm")
        .keptAs("Width")
        .required();
    f("dpi", o.dpi)
        .label("Pixels per inch", "Resolution of a PNG, and of many points in a PDF or SVG.")
        .within(1, 1'200)
        .offers(72, 1'200)
        .keptAs("Dpi")
        .required();
    f("preset", o.preset)
        .label("Venue", "Venue that the figure is for.")
        .checkedBy(presetFault, "acl-column")
        .keptAs("Preset");
    f("files", o.files)
        .label("Also numbers, recipe and LaTeX", "Also save the values as .csv, the recipe as .json and a LaTeX figure "
                                                 "as .tex. The figure always contains its recipe.")
        .keptAs("Files");
}

void fields(Fields& f, PanelPaper& o)
{
    f("columns", o.columns, kColumnWords).label("Columns of panels", "Number of panels in each row.");
}

} // namespace headscope
