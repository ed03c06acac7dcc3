// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/figures/figure_choices.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope inspect` and `headscope-engine inspect`, as typed.
struct InspectCommand
{
    static constexpr std::string_view kVerb = "inspect";

    std::string path;                  ///< of a cache or a model
    std::string figure;                ///< file for the schema of a layer; empty: none
    std::optional<std::int64_t> layer; ///< of the schema; nothing: the last that the cache holds
    bool hashes = false;               ///< of a model: SHA-256 of its files
    FigureChoices paper;               ///< how that schema is written

    void declare(Fields& table);

    friend bool operator==(const InspectCommand&, const InspectCommand&) = default;
};

} // namespace headscope::commands
