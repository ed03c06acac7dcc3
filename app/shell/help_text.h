// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::shell
{

/// How a command is typed: "headscope tsne [OPTIONS] [CACHE]".
/// @param command  "headscope tsne"
[[nodiscard]] std::string usageText(const Fields& table, std::string_view command);

/// What --help prints: summary, usage, positionals and options with their defaults, in lines of at most 80 columns
/// (but for single words that are longer).
[[nodiscard]] std::string helpText(const Fields& table, std::string_view command, std::string_view summary);

/// The manual page of a command, in the language of man(7).
/// @param program  with its version: "headscope 0.1.0"
[[nodiscard]] std::string manPage(const Fields& table, std::string_view command, std::string_view summary,
                                  std::string_view program);

} // namespace headscope::shell
