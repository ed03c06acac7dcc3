// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope-engine composition`, as typed.
struct CompositionCommand
{
    static constexpr std::string_view kVerb = "composition";

    std::string model;
    std::string output;
    std::string kinds = "q,k,v";
    std::string baseline = "random"; ///< or "none"
    std::int64_t top = 50;           ///< pairs that are listed
    std::string directions;          ///< "A,B": layers whose directions are compared; empty: none

    void declare(Fields& table);

    friend bool operator==(const CompositionCommand&, const CompositionCommand&) = default;
};

} // namespace headscope::commands
