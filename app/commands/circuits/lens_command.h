// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/run/documents_run.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope::commands
{

/// `headscope-engine lens`, as typed.
struct LensCommand : DocumentsRun
{
    static constexpr std::string_view kVerb = "lens";

    std::string model;
    std::string output;
    std::string layers = "last";
    std::string heads;
    std::int64_t top = 10;
    bool center = false;
    std::string document; ///< id of the one whose lists are shown; empty: all
    bool weights = false;
    bool copied = false; ///< with `weights`: count the tokens that a head copies
    std::string token;   ///< text whose tokens are asked for with `weights`

    void declare(Fields& table);

    friend bool operator==(const LensCommand&, const LensCommand&) = default;
};

} // namespace headscope::commands
