// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string_view>

namespace headscope
{

/// Calls `take` with each word of a text, in the order of the text.
///
/// A text in normal form C and in simple lower case is cut into its longest runs of letters, marks and numbers. An
/// apostrophe (also U+2019, which becomes U+0027) between a letter or mark and a letter belongs to the word. Kana and
/// Han characters are words one by one.
/// @param text  well-formed UTF-8
/// @param take  the word is gone when it returns
void forEachWord(std::string_view text, const std::function<void(std::string_view word)>& take);

} // namespace headscope
