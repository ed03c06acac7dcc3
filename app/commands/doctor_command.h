// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope doctor`, which has no options of its own.
struct DoctorCommand
{
    static constexpr std::string_view kVerb = "doctor";

    void declare(Fields& /*table*/) {}

    friend bool operator==(const DoctorCommand&, const DoctorCommand&) = default;
};

} // namespace headscope::commands
