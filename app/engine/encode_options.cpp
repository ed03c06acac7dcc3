// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/encode_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace headscope::engine
{

void addEncodeOptions(CLI::App& verb, EncodeChoices& choices)
{
    verb.add_option("--eos", choices.eos,
                    "Whether the end token follows: config (as the model's files say), always, never")
        ->type_name("config|always|never");
    verb.add_option("--special-tokens", choices.specialTokens,
                    "Special tokens written in a text: parse (they are those tokens) or text")
        ->type_name("parse|text");
}

Result<EncodeOptions> encodeOptions(const EncodeChoices& choices)
{
    EncodeOptions options;
    if (choices.eos == "always")
        options.eos = EosPolicy::Always;
    else if (choices.eos == "never")
        options.eos = EosPolicy::Never;
    else if (choices.eos != "config")
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected config, always or never, found \"{}\"", choices.eos),
                     {},
                     "--eos"};
    if (choices.specialTokens == "text")
        options.specialTokens = SpecialTokens::Text;
    else if (choices.specialTokens != "parse")
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected parse or text, found \"{}\"", choices.specialTokens),
                     {},
                     "--special-tokens"};
    return options;
}

} // namespace headscope::engine
