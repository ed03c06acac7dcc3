// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/encode_choices.h"

#include "model/base/fields/fields.h"

#include <array>

namespace headscope::commands
{
namespace
{

constexpr std::array kEosWords = {FieldWord{"config", "as the model's files say"}, FieldWord{"always", "always"},
                                  FieldWord{"never", "never"}};
constexpr std::array kSpecialWords = {FieldWord{"parse", "they are these tokens"},
                                      FieldWord{"text", "they are plain text"}};

} // namespace

void EncodeChoices::declare(Fields& table)
{
    table.option("--eos", eos, "whether the end token follows; config: as the model's files say")
        .among(kEosWords)
        .label("End token", "Whether it follows every text.");
    table.option("--special-tokens", specialTokens, "special tokens written in a text: parse makes them those tokens")
        .among(kSpecialWords)
        .label("Special tokens", "What their names mean inside of a text.");
}

} // namespace headscope::commands
