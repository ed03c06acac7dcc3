// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/layers_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void LayersCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    table.flag("--geometry", geometry,
               "instead measure the geometry of the vectors: effective rank, participation ratio, intrinsic dimension "
               "and anisotropy of every head; a .h5 file also holds the CKA between all heads");
    fields(table, layers);
    table.option("-o,--output", output, ".csv, .tex, .h5, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
}

} // namespace headscope::commands
