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
                "heads that are off at every token: layers from 0, heads from 1, gN a KV group, all every head of a "
                "layer; several with semicolons between them")
        .checkedBy(fault, "29:1-3;12:g2")
        .valueName("LAYER:HEADS")
        .label("Heads off", "At every token: layers from 0, heads from 1, gN a KV group, all every head of a layer, as "
                            "29:1-3;12:g2. The cache says so.")
        .leastMeans("none");
    ablationField(table, ablation, "those heads").only(kCommandUse);
    referenceField(table, reference, "documents of that mean, of any kind that the run itself can read");
    table
        .option("--regroup", regroup,
                "KV groups that those of the model are brought to: keys and values of neighbouring groups are "
                "averaged, or repeated, which changes nothing")
        .countFrom(1)
        .defaultMeans("those of the model")
        .label("KV groups", "Keys and values of neighbouring groups are averaged to so many; more than the model has "
                            "repeat them, which changes nothing.");
}

} // namespace headscope::commands
