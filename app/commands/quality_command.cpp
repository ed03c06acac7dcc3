// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/quality_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void QualityCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    table.find("--layer")->defaultMeans("the layer of the map, or last");
    table.find("--stage")->defaultMeans("the stage of the map, or 1");
    input.declareMatrix(table, false);
    table.option("--map", map, "the map, [P, 2]: FILE.h5:/maps/NAME/xy or FILE.npy").required().valueName("MATRIX");
    table
        .option("--against", against,
                "another map to compare with; prints the proportion of neighbours that both maps share, and the noise "
                "floor of each map")
        .valueName("MATRIX");
    table.option("--perplexity", perplexities, "perplexity of the probabilities from which the divergence is computed")
        .within(1, kMaxCount)
        .separatedBy(',')
        .defaultMeans("as stored with the map, else 30");
    table.option("--dof", degreesOfFreedom, "degrees of freedom of the map's kernel")
        .within(kMinDegrees, kMaxDegrees)
        .defaultMeans("as stored with the map, else 1");
    table.option("--metric", metric, "metric of the data")
        .oneOf({"euclidean", "cosine"})
        .defaultMeans("as stored with the map, else euclidean");
    table.option("--sample", sample, "number of points whose neighbours are compared")
        .countFrom(0)
        .defaultMeans("all points if there are at most 20,000, else 2,000");
    table
        .option("--labels", labels,
                "classes whose means are compared: integers from 0, one per row of --vectors (for a cache, the classes "
                "are its heads)")
        .valueName("VALUES");
    table.option("-o,--output", output, ".h5 file for the contribution of every point").valueName("FILE");
}

} // namespace headscope::commands
