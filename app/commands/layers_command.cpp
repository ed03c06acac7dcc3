// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/layers_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void LayersCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    table.option("--neighbors", neighbors, "nearest documents whose label counts for purity").countFrom(1);
    table.option("--c", c, "of the probe: weight of the data against the penalty").within(NumberRange{0, 1e9, true});
    table.option("--cka", cka, "estimate of the linear CKA; the biased one grows with few documents")
        .oneOf({"debiased", "biased"});
    table.option("--permutations", permutations, "shufflings of the labels for the purity's p; 0: none")
        .within(0, 1'000'000);
    table.option("-o,--output", output, ".csv, .tex, .h5, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
}

LayerOptions LayersCommand::options(std::uint64_t seed) const
{
    LayerOptions options;
    options.neighbors = neighbors;
    options.permutations = permutations;
    options.cka = cka == ckaName(CkaMethod::Biased) ? CkaMethod::Biased : CkaMethod::Debiased;
    options.probe.c = c;
    options.probe.seed = seed;
    return options;
}

void LayersCommand::setOptions(const LayerOptions& options)
{
    neighbors = options.neighbors;
    permutations = options.permutations;
    cka = ckaName(options.cka);
    c = options.probe.c;
}

} // namespace headscope::commands
