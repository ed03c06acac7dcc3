// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/fields.h"

#include <string>
#include <vector>

namespace headscope::shell
{

/// The words that, typed, change the values of `usual` into those of `wanted`, in the order of the table. Left out is
/// what cannot be typed: an empty list where `usual` has values, and a list value that contains the list's separator.
[[nodiscard]] std::vector<std::string> wordsThatChange(const Fields& usual, const Fields& wanted);

/// The words to type after the verb to get this command: one or more for every member that differs from its default.
/// @tparam C  has `void declare(Fields&)`, and is default-constructed with the defaults
template <class C>
[[nodiscard]] std::vector<std::string> commandWords(C command)
{
    C fresh;
    Fields usual;
    fresh.declare(usual);
    Fields wanted;
    command.declare(wanted);
    return wordsThatChange(usual, wanted);
}

} // namespace headscope::shell
