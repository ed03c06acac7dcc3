// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/encode_choices.h"

#include "model/base/fields/fields.h"

#include <array>

namespace headscope::commands
{
namespace
{

constexpr std::array kEosWords = {FieldWord{"config", "as set in the model files"}, FieldWord{"always", "always"},
                                  FieldWord{"never", "never"}};
constexpr std::array kSpecialWords = {FieldWord{"parse", "parsed as special tokens"},
                                      FieldWord{"text", "treated as plain text"}};

} // namespace

void EncodeChoices::declare(Fields& table)
{
    table.option("--eos", eos, "append the end-of-sequence token; config: as set in the model files")
        .among(kEosWords)
        .label("End token", "Append the end-of-sequence token to every text.");
    table
        .option("--special-tokens", specialTokens,
                "how names of special tokens within a text are treated: parse turns them into special tokens, text "
                "keeps them as plain text")
        .among(kSpecialWords)
        .label("Special tokens", "How names of special tokens within a text are treated.");
}

} // namespace headscope::commands
