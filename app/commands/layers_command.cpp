// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/layers_command.h"

#include "app/shell/option_table.h"

namespace headscope::commands
{

void LayersCommand::declare(shell::OptionTable& table)
{
    input.declareCache(table, true);
    table.option("--neighbors", neighbors, "nearest documents whose label counts for purity").countFrom(1);
    table.option("--c", c, "of the probe: weight of the data against the penalty")
        .within(shell::NumberLimits{0, 1e9, true});
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
}

LayerOptions LayersCommand::options(std::uint64_t seed) const
{
    LayerOptions options;
    options.neighbors = neighbors;
    options.probe.c = c;
    options.probe.seed = seed;
    return options;
}

void LayersCommand::setOptions(const LayerOptions& options)
{
    neighbors = options.neighbors;
    c = options.probe.c;
}

} // namespace headscope::commands
