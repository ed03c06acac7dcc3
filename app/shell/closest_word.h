// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headscope::shell
{

/// The known word that a mistyped one is closest to: by letters inserted, removed, replaced, or swapped with the next
/// one, at most one for each three letters of the typed word. Of words at the same distance the first.
/// @return  empty where none is close enough
[[nodiscard]] std::string_view closestWord(std::string_view typed, std::span<const std::string_view> known);

/// "; did you mean \"heads\"?", to be put behind an error; empty where no known word is close.
[[nodiscard]] std::string didYouMean(std::string_view typed, std::span<const std::string_view> known);

/// The same, for the name of a verb.
[[nodiscard]] std::string didYouMeanVerb(std::string_view typed);

} // namespace headscope::shell
