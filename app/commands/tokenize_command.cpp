// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/tokenize_command.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

void TokenizeCommand::declare(Fields& table)
{
    table.option("model", model, "a model folder, a .gguf file, or a folder with only a tokenizer")
        .required()
        .valueName("MODEL");
    table.option("--input", input, "JSONL file, also .gz or .zst").valueName("FILE").defaultMeans("standard input");
    table.option("--text-column", textColumn, "field that holds the text").valueName("NAME");
    table.option("--max-tokens", maxTokens, "truncate texts to this number of tokens")
        .checkedBy(countFault, "77")
        .valueName("N")
        .defaultMeans("never");
    encode.declare(table);
}

void TokenizeCommand::declareServed(Fields& table)
{
    table.option("model", model).required();
    table.option("--text", text).required();
    table.option("--max-tokens", maxTokens);
    encode.declare(table);
}

} // namespace headscope::commands
