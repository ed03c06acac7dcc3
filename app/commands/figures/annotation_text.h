// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <string>

namespace headscope::commands
{

/// A place of --annotate: shares of the figure from its top left corner, or coordinates of its map.
struct AnnotationPlace
{
    double x = 0;
    double y = 0;
    bool onMap = false;
};

/// A value of --annotate, as typed.
struct AnnotationWords
{
    enum class Kind
    {
        Label,
        Arrow,
        Box,
    };

    Kind kind = Kind::Label;
    AnnotationPlace from{};
    AnnotationPlace to{}; ///< of arrows and boxes
    std::string text{};
};

/// Reads "label 0.5,0.1 Text", "arrow 0.2,0.3 map:12,-4 Text" or "box 0.1,0.1 0.4,0.5".
/// @errors WrongUse
[[nodiscard]] Result<AnnotationWords> readAnnotation(const std::string& text);
/// What is wrong with one; empty: nothing.
[[nodiscard]] std::string annotationFault(const std::string& text);

} // namespace headscope::commands
