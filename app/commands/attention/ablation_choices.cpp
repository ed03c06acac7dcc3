// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/attention/ablation_choices.h"

#include "app/commands/run/run_fields.h"
#include "model/base/fields/fields.h"
#include "model/data/ablation_spec.h"
#include "model/data/results/importance_options.h"

namespace headscope::commands
{
namespace
{

std::string fault(const std::string& text)
{
    return ablationFault(text);
}

} // namespace

void AblationChoices::declare(Fields& table)
{
    table
        .option("--ablate", ablate,
                "heads to ablate at every token; layers are counted from 0, heads from 1; gN is KV group N, all is "
                "every head of a layer; semicolons separate layers")
        .checkedBy(fault, "29:1-3;12:g2")
        .valueName("LAYER:HEADS")
        .label("Ablated heads", "Heads to ablate, such as 29:1-3;12:g2. Layers from 0, "
                                "heads from 1. gN is KV group N, all is every head. Saved in the cache.")
        .leastMeans("none");
    ablationField(table, ablation, "the ablated heads").only(kCommandUse);
    referenceField(table, reference, "documents over which the mean is computed, in any format that the command reads");
    table
        .option("--regroup", regroup,
                "number of KV groups to merge into: keys and values of neighbouring groups are averaged; if the model "
                "has fewer groups, keys and values are repeated, which changes nothing")
        .countFrom(1)
        .defaultMeans("as in the model")
        .label("KV groups", "Number of groups that remain when keys and values of neighbouring groups are averaged. If "
                            "the model has fewer, nothing changes.");
}

} // namespace headscope::commands
