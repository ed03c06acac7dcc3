// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/probe_command.h"

#include "app/shell/option_table.h"

namespace headscope::commands
{

void ProbeCommand::declare(shell::OptionTable& table)
{
    input.declareCache(table, false);
    input.declareMatrix(table, true);
    table.option("--c", c, "weight of the data against the penalty").within(shell::NumberLimits{0, 1e9, true});
    table.option("--test", test, "share that tests").within(shell::NumberLimits{0, 1, true, true});
    table.option("--train", train, "rows to train at most").countFrom(0).defaultMeans("all that do not test");
    table.option("--split", split, "what is kept together when rows are parted").oneOf({"documents", "rows"});
    table.flag("--control", control, "labels shuffled: accuracy must fall to chance");
    table.option("-o,--output", output, ".h5, .csv, .tex, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
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

} // namespace headscope::commands
