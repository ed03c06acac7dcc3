// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/encode_choices.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void EncodeChoices::declare(Fields& table)
{
    table.option("--eos", eos, "whether the end token follows; config: as the model's files say")
        .oneOf({"config", "always", "never"});
    table.option("--special-tokens", specialTokens, "special tokens written in a text: parse makes them those tokens")
        .oneOf({"parse", "text"});
}

} // namespace headscope::commands
