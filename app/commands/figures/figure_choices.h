// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// How a verb writes its figure, as typed.
struct FigureChoices
{
    std::string preset = "none"; ///< none: 171.45 mm wide, text of 8 pt
    std::string text = "text";
    std::string palette = "standard"; ///< of labels and heads
    bool recipe = false;
    std::vector<std::string> also;     ///< endings: the same figure in these formats, too
    std::vector<std::string> annotate; ///< as readAnnotation takes each
    std::string caption;               ///< in place of the program's own; empty: that

    /// Declares --preset, --text, --palette, --recipe, --also, --annotate and --caption.
    void declare(Fields& table);

    friend bool operator==(const FigureChoices&, const FigureChoices&) = default;
};

/// The sets of colours, as --palette takes them.
[[nodiscard]] std::vector<std::string> paletteWords();

/// Declares --annotate.
void declareAnnotate(Fields& table, std::vector<std::string>& annotate);

} // namespace headscope::commands
