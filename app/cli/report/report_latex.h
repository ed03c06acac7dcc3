// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/report/report_text.h"
#include "model/base/text/latex_text.h"

#include <span>
#include <string>

namespace headscope::cli
{

/// The report as a document of LaTeX that takes figures and tables from the folders next to it.
[[nodiscard]] LatexText reportLatex(std::span<const ReportSection> sections, const std::string& title,
                                    const std::string& footer);

} // namespace headscope::cli
