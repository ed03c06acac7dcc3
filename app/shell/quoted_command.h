// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::shell
{

/// A word as a POSIX shell reads it back: in single quotes where it holds anything but letters, digits
/// and -_+=./:,@%.
[[nodiscard]] std::string quotedWord(std::string_view word);

/// A command line as a shell reads it back: the program's name, and the quoted words behind it.
[[nodiscard]] std::string quotedCommand(std::string_view program, std::span<const std::string> words);

/// The words of what quotedCommand gives, the program's name first.
/// @return nothing where a quote is not closed
[[nodiscard]] std::optional<std::vector<std::string>> unquotedWords(std::string_view command);

} // namespace headscope::shell
