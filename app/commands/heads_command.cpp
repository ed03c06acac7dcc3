// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/heads_command.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

void HeadsCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    table.option("--cka", cka, "estimate of the linear CKA between heads; the biased one grows with few documents")
        .oneOf({"debiased", "biased"});
    table
        .option("--selectivity", selectivity,
                "centred: each topic's mean over all documents is taken away first; raw mostly measures topics' names")
        .oneOf({"centred", "raw"});
    table.option("--follows", follows, "of a segment of stage 3: the full vector without the segment, or all of it")
        .oneOf({"rest", "whole"});
    table.option("--permutations", permutations, "shufflings of the labels for p values; 0: none").within(0, 1'000'000);
    input.declareTopicVectors(table);
    table.option("--sort", sort, "column to sort the table by, from the largest")
        .checkedBy(headColumnFault, "mean norm")
        .valueName("COLUMN")
        .defaultMeans("head");
    table.option("-o,--output", output, ".csv, .tex, .h5 with the redundancy and maps of the heads, .png, .pdf or .svg")
        .valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
}

CkaMethod HeadsCommand::ckaMethod() const
{
    return cka == ckaName(CkaMethod::Biased) ? CkaMethod::Biased : CkaMethod::Debiased;
}

HeadAnswerOptions HeadsCommand::options(std::uint64_t seed) const
{
    HeadAnswerOptions options;
    options.selectivity =
        selectivity == selectivityName(SelectivityMode::Raw) ? SelectivityMode::Raw : SelectivityMode::Centred;
    options.follows = follows == followsName(FollowsMode::Whole) ? FollowsMode::Whole : FollowsMode::Rest;
    options.permutations = permutations;
    options.seed = seed;
    return options;
}

} // namespace headscope::commands
