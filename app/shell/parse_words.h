// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <span>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::shell
{

/// How reading the words of a command ended, if not in an error.
enum class Reading
{
    Done,
    Help, ///< --help was asked for: nothing was checked
};

/// Reads the words after a verb into the variables of its table; a variable keeps its value unless its option is
/// typed. Numbers are decimal and finite.
/// @errors WrongUse: a word that is not expected, a value that does not fit, a missing one
[[nodiscard]] Result<Reading> parseWords(const Fields& table, std::span<const std::string> words);

/// An error of parseWords() for people: of the verb, with where its options are listed.
[[nodiscard]] Error wrongWords(std::string_view verb, const Error& error);

} // namespace headscope::shell
