// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/serve/embed_command.h"

#include "app/commands/run/run_fields.h"
#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

void EmbedCommand::declare(Fields& table)
{
    declareModel(table);
    table.option("--text", text, "the text").required();
    table.option("--output", output, "file for the vectors");
    table.option("--stages,--stage", stages, "stages: 1, 2, 3, contribution").checkedBy(stagesFault, "1");
    maxTokensField(table, maxTokens, "the text");
    poolingField(table, pooling);
    table.option("--last-layer", lastLayer, "stage 3 of the last layer").oneOf({"normed", "raw"});
    encode.declare(table);
    table.option("--prompt", prompt, "text before the text");
    ablation.declare(table);
}

void EmbedCommand::declareModel(Fields& table)
{
    modelField(table, model);
    layersField(table, layers, "last, all, or numbers from 0");
    deviceField(table, device);
}

} // namespace headscope::commands
