// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input_options.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// How texts are chosen, as words of the command line.
enum class NamingMethod
{
    TextSpan,
    Somp,
};

/// `headscope name`, as typed.
struct NameCommand
{
    static constexpr std::string_view kVerb = "name";

    InputOptions input;
    std::string texts;
    std::string model;
    std::string prompt;
    NamingMethod method = NamingMethod::TextSpan;
    std::int64_t steps = 10;
    std::int64_t rank = 80;
    std::int64_t permutations = 99;
    std::string output;
    bool plainCsv = false;

    void declare(Fields& table);

    friend bool operator==(const NameCommand&, const NameCommand&) = default;
};

} // namespace headscope::commands
