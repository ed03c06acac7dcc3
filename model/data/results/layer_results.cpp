// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/layer_results.h"

#include "model/base/fields/fields.h"

namespace headscope
{

void fields(Fields& f, LayerOptions& o)
{
    f("neighbors", o.neighbors, "--neighbors", "number of nearest documents for the topic purity")
        .label("Nearest documents for purity",
               "Number of nearest documents for the topic purity. Its 95% intervals are too wide "
               "(coverage 98 to 100%).")
        .countFrom(1)
        .offers(1, 1000)
        .unit("nearest");
    probeWeightField(f, o.probe.c, "for the probe: weight of the data relative to the penalty").but(kFormUse);
    ckaField(f, o.cka, "estimator of the linear CKA; the biased estimate is too high when there are few documents")
        .but(kFormUse);
    f("permutations", o.permutations, "--permutations",
      "number of permutations of the labels for the p of the purity; 0: none")
        .label("Permutations")
        .within(0, kMaxPermutations)
        .but(kFormUse);
    f("seed", o.probe.seed).label("Seed").but(kFormUse); // typed among the options of every verb
}

} // namespace headscope
