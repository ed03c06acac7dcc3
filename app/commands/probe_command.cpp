// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/probe_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void ProbeCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    input.declareMatrix(table, true);
    fields(table, probe);
    table
        .option("--baselines", baselines,
                "also compute baselines: means subtracted, Gaussian noise, random partition of the dimensions, control "
                "task, splits and groupings; auto: only if documents x heads x dimensions of all probes are at most "
                "1,000,000")
        .oneOf({"auto", "on", "off"});
    table
        .option("--splits", splits,
                "number of splits of the documents over which the baselines give the mean and standard deviation of "
                "the accuracy")
        .within(1, 1000);
    table.option("-o,--output", output, ".h5, .csv, .tex, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
}

void LabelProbeCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    fields(table, probe);
    for (const char* name : {"--train", "--control"})
        table.find(name)->only(0);
    table.find("--test")->about = "fraction of the documents that are used for testing";
    Field& split = *table.find("--split");
    split.about = "unit that is never split between training and test; here, each document has one vector";
    split.oneOf({"documents"});
    table
        .option("--splits", splits,
                "number of splits of the documents over which scores are averaged; the first seed is --seed, and each "
                "split adds 1")
        .within(1, 1000);
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
}

} // namespace headscope::commands
