// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/encode_choices.h"

#include <string>
#include <string_view>

namespace headscope
{
class Fields;
}

namespace headscope::commands
{

/// `headscope-engine tokenize`, as typed.
struct TokenizeCommand
{
    static constexpr std::string_view kVerb = "tokenize";

    std::string model;
    std::string text; ///< of a request
    std::string input = "-";
    std::string textColumn = "text";
    std::string maxTokens; ///< a number, or nothing
    EncodeChoices encode;

    void declare(Fields& table);
    /// As parameters of a request: a text in place of a file.
    void declareServed(Fields& table);

    friend bool operator==(const TokenizeCommand&, const TokenizeCommand&) = default;
};

} // namespace headscope::commands
