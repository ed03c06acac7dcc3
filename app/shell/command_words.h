// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/option_table.h"

#include <string>
#include <vector>

namespace headscope::shell
{

/// The words that change the variables of one table into those of another of the same options, in its order. A
/// list that is empty where the other is not cannot be typed, nor a value of a list that holds its separator:
/// they are not told.
[[nodiscard]] std::vector<std::string> wordsThatChange(const OptionTable& usual, const OptionTable& wanted);

/// What must be typed behind the verb to get this command: every member that differs from a new one's.
/// @tparam C  has `void declare(OptionTable&)`, and is a new command when made of nothing
template <class C>
[[nodiscard]] std::vector<std::string> commandWords(C command)
{
    C fresh;
    OptionTable usual;
    fresh.declare(usual);
    OptionTable wanted;
    command.declare(wanted);
    return wordsThatChange(usual, wanted);
}

} // namespace headscope::shell
