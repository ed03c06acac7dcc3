// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/serve/embed_command.h"

#include "app/commands/run/run_fields.h"
#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

void EmbedCommand::declare(Fields& table)
{
    declarePart(table);
    table.option("--text", text, "the text").required();
    table.option("--output", output, "file for the vectors");
    table.option("--stages,--stage", stages, "stages: 1, 2, 3, contribution").checkedBy(stagesFault, "1");
    VectorRun::fields(table, "the text");
    ablation.declare(table);
}

void EmbedCommand::declareModel(Fields& table)
{
    declarePart(table);
    deviceField(table, device);
}

void EmbedCommand::declarePart(Fields& table)
{
    modelField(table, model);
    layersField(table, layers, "last, all, or numbers from 0");
}

} // namespace headscope::commands
