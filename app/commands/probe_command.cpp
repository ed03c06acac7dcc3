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
        .option(
            "--baselines", baselines,
            "means removed, Gaussian noise, random cut, control task, splits and groupings beside the accuracy; auto: "
            "where documents x heads x dimensions of all probes are at most 1,000,000")
        .oneOf({"auto", "on", "off"});
    table.option("--splits", splits, "splits of the documents over which accuracy and sd are told with the baselines")
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
    table.find("--test")->about = "share of the documents that tests";
    Field& split = *table.find("--split");
    split.about = "what is parted: a document is one row";
    split.oneOf({"documents"});
    table.option("--splits", splits, "splits of the documents whose scores are averaged, by the seeds from --seed on")
        .within(1, 1000);
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
}

} // namespace headscope::commands
