// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/export_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void ExportCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    table.option("--format", format, "format of the file")
        .oneOf({"npy", "csv", "jsonl", "safetensors", "h5ad"})
        .valueName("FORMAT")
        .defaultMeans("from the file extension of -o");
    table
        .option("--map", maps,
                "maps of the cache to write together with the vectors, including their neighbourhood preservation (not "
                "in .npy); several: --map A B; all: every map of these vectors")
        .valueName("NAME");
    table.option("-o,--output", output, ".npy, .csv, .jsonl, .safetensors, or .h5ad (AnnData)")
        .required()
        .valueName("FILE");
}

} // namespace headscope::commands
