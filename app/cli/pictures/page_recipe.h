// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_command.h"
#include "app/results/provenance.h"
#include "model/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::cli
{

/// The recipe of a figure of panels: how they stand, and the whole recipe of each.
/// @param command     its recipes, inputs and output are left out
/// @param parameters  besides the options, for those who read it
/// @errors InvalidArgument (larger than a figure can hold)
[[nodiscard]] Result<std::string> recipeOfPage(commands::FigureCommand command, std::vector<std::string> panels,
                                               const Provenance& parameters);

/// "FILE-b.csv" of panel b of FILE.pdf.
[[nodiscard]] std::filesystem::path besidePanel(const std::filesystem::path& target, std::size_t panel,
                                                std::string_view ending);

} // namespace headscope::cli
