// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run/documents_run.h"

#include "app/commands/run/run_fields.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

Field& DocumentsRun::inputsField(Fields& table)
{
    return table.option("documents", inputs, ".jsonl .json .csv .tsv .txt, also .gz and .zst; a folder").documents();
}

void DocumentsRun::documentFields(Fields& table)
{
    columnFields(table, textColumn, idColumn);
    separatorField(table, separator);
    chosenFields(table, lines, limit, sample);
    TextRun::fields(table, "texts");
}

} // namespace headscope::commands
