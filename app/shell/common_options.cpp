// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/common_options.h"

#include "model/base/fields/fields.h"
#include "model/base/parallel.h"

namespace headscope::shell
{

void CommonOptions::declare(Fields& table)
{
    table.option("--threads", threads, "worker threads")
        .within(1, 4096)
        .defaultMeans("physical cores")
        .label("Threads", "How many cores work.");
    table.option("--seed", seed, "seed of everything random").label("Seed", "The same seed, the same result.");
    table.flag("--json", json, "one JSON object on stdout, nothing else there");
    table.option("--progress", progress, "progress on stderr").oneOf({"auto", "json", "off"});
    table.flag("--overwrite", overwrite, "replace an existing output");
}

int CommonOptions::numThreads() const
{
    return threads > 0 ? threads : availableCores();
}

} // namespace headscope::shell
