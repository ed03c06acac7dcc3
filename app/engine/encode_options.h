// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/tokenize/tokenizer.h"

#include <string>
#include <string_view>

namespace headscope::shell
{
class Command;
}

namespace headscope::engine
{

/// --eos and --special-tokens as they were typed.
struct EncodeChoices
{
    std::string eos = "config";
    std::string specialTokens = "parse";
};

/// Adds --eos config|always|never and --special-tokens parse|text to a verb.
void addEncodeOptions(shell::Command& command, EncodeChoices& choices);

/// The choices as the tokenizer takes them.
/// @errors WrongUse
[[nodiscard]] Result<EncodeOptions> encodeOptions(const EncodeChoices& choices);

/// A result without its value.
template <class T>
[[nodiscard]] Status toStatus(const Result<T>& result)
{
    return result ? Status() : Status(result.error());
}

} // namespace headscope::engine
