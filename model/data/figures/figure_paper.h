// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

class Fields;

/// The size of a figure for one place: it goes in as it is, never scaled.
struct FigurePreset
{
    std::string_view name;  ///< "acl-column"
    std::string_view title; ///< "ACL, one column"
    double widthMm;
    double textPt; ///< height of its ordinary text
    double mostMm; ///< height that it can have there
};

/// By venue, then by width.
[[nodiscard]] std::span<const FigurePreset> figurePresets();
/// @return null: there is none of this name
[[nodiscard]] const FigurePreset* findPreset(std::string_view name);
/// The names of all presets behind another word, for Field::oneOf.
[[nodiscard]] std::vector<std::string> presetWords(std::string_view first);

/// How large a figure is on paper, and what is saved beside it.
struct FigurePaper
{
    double widthMm = 171.45;
    int dpi = 300;        ///< pixels per inch
    std::string preset{}; ///< of figurePresets(), which sets the size of its text; empty: the usual one
    bool files = false;   ///< beside it also its numbers, its recipe and a figure of LaTeX
};

/// Declares how large a figure is, for forms, settings and kept work.
void fields(Fields& f, FigurePaper& o);

/// How many panels of a figure stand in a row.
enum class PanelColumns
{
    AsFit, ///< as many as there is room for
    One,
    Two,
    Three,
    Four,
    Five,
    Six,
};

/// How the panels of a figure stand.
struct PanelPaper
{
    PanelColumns columns = PanelColumns::AsFit;
};

/// Declares how panels stand.
void fields(Fields& f, PanelPaper& o);

} // namespace headscope
