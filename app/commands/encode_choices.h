// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// How a text becomes tokens, as typed.
struct EncodeChoices
{
    std::string eos = "config";
    std::string specialTokens = "parse";

    /// Declares --eos and --special-tokens.
    void declare(Fields& table);

    friend bool operator==(const EncodeChoices&, const EncodeChoices&) = default;
};

} // namespace headscope::commands
