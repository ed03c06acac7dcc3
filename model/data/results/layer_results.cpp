// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/layer_results.h"

#include "model/base/fields/fields.h"

namespace headscope
{

void fields(Fields& f, LayerOptions& o)
{
    f("neighbors", o.neighbors, "--neighbors", "nearest documents whose label counts for purity")
        .label("Nearest documents of the topic purity",
               "Topic purity: how many nearest documents are looked at. Its 95 % intervals (jackknife) are "
               "conservative: 98 to 100 of 100 held the true value in simulations.")
        .countFrom(1)
        .offers(1, 1000)
        .unit("nearest");
    probeWeightField(f, o.probe.c, "of the probe: weight of the data against the penalty").but(kFormUse);
    ckaField(f, o.cka, "estimate of the linear CKA; the biased one grows with few documents").but(kFormUse);
    f("permutations", o.permutations, "--permutations", "permutations of the labels for the purity's p; 0: none")
        .label("Permutations")
        .within(0, kMaxPermutations)
        .but(kFormUse);
    f("seed", o.probe.seed).label("Seed").but(kFormUse); // typed among the options of every verb
}

} // namespace headscope
