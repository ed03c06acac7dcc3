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
                "heads ablated at every token; layers from 0, heads from 1; gN: KV group N; all: every head of a "
                "layer; semicolons separate layers")
        .checkedBy(fault, "29:1-3;12:g2")
        .valueName("LAYER:HEADS")
        .label("Ablated heads", "At every token, such as 29:1-3;12:g2. Layers from 0, heads from 1; gN: KV group N; "
                                "all: every head. Saved in the cache.")
        .leastMeans("none");
    ablationField(table, ablation, "the ablated heads").only(kCommandUse);
    referenceField(table, reference, "documents that the mean is taken over, in any format that the run itself reads");
    table
        .option("--regroup", regroup,
                "number of KV groups to merge into: keys and values of neighbouring groups are averaged; a larger "
                "number repeats them and changes nothing")
        .countFrom(1)
        .defaultMeans("as in the model")
        .label("KV groups", "Averages keys and values of neighbouring groups to this number of groups. A larger "
                            "number repeats them and changes nothing.");
}

} // namespace headscope::commands
