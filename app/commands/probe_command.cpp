// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/probe_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void ProbeCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    input.declareMatrix(table, true);
    table.option("--c", c, "weight of the data against the penalty").within(NumberRange{0, 1e9, true});
    table.option("--test", test, "share that tests").within(NumberRange{0, 1, true, true});
    table.option("--train", train, "rows to train at most").countFrom(0).defaultMeans("all that do not test");
    table.option("--split", split, "what is kept together when rows are parted").oneOf({"documents", "rows"});
    table.flag("--control", control, "labels shuffled among all rows: a leak check");
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

ProbeOptions ProbeCommand::options(std::uint64_t seed) const
{
    ProbeOptions options;
    options.c = c;
    options.testShare = test;
    options.trainRows = train;
    options.split = split == "rows" ? ProbeSplit::Rows : ProbeSplit::Documents;
    options.control = control;
    options.seed = seed;
    return options;
}

void ProbeCommand::setOptions(const ProbeOptions& options)
{
    c = options.c;
    test = options.testShare;
    train = options.trainRows;
    split = options.split == ProbeSplit::Rows ? "rows" : "documents";
    control = options.control;
}

void LabelProbeCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    table.option("--c", c, "weight of the data against the penalty").within(NumberRange{0, 1e9, true});
    table.option("--test", test, "share of the documents that tests").within(NumberRange{0, 1, true, true});
    table.option("--split", split, "what is parted: a document is one row").oneOf({"documents"});
    table.option("--splits", splits, "splits of the documents whose scores are averaged, by the seeds from --seed on")
        .within(1, 1000);
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
}

ProbeOptions LabelProbeCommand::options(std::uint64_t seed) const
{
    ProbeOptions options;
    options.c = c;
    options.testShare = test;
    options.seed = seed;
    return options;
}

} // namespace headscope::commands
