// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/colorings/coloring.h"

#include <span>
#include <string>
#include <string_view>

namespace headscope::colorings
{

/// Every colouring there is, in the order in which boxes show them; the first is by head.
/// @threads reentrant
[[nodiscard]] std::span<const Coloring> all();

/// The colouring of this key, or null.
[[nodiscard]] const Coloring* find(std::string_view key);

/// Whether colorByWord would know the word.
/// @errors as colorByWord
[[nodiscard]] Status checkWord(const std::string& word, ColoringInput input);

/// The colours that `--color` asks for: the key of a colouring, or the name of a column. Of those that fit, the first
/// whose needs are met.
/// @param input  its column is set here
/// @errors InvalidArgument (a word that no colouring knows, or whose needs are not met), which lists what is known
[[nodiscard]] Result<viz::PointColoring> colorByWord(const std::string& word, ColoringInput input);

/// The word by which colorByWord() knows a choice: "strength", "topic"; "": the shell does not have it.
[[nodiscard]] std::string wordOfChoice(const Coloring& coloring, std::string_view column);
/// The inverse, of a word that a verb took: "strength", "label:topic".
[[nodiscard]] std::string keyOfWord(std::string_view word);

} // namespace headscope::colorings
