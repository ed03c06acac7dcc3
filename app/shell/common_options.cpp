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
        .label("Threads", "Number of cores to use.");
    table.option("--seed", seed, "seed of all random numbers").label("Seed", "The same seed gives the same result.");
    table.flag("--json", json, "print one JSON object on stdout and nothing else");
    table.option("--progress", progress, "show progress on stderr").oneOf({"auto", "json", "off"});
    table.flag("--overwrite", overwrite, "replace an existing output");
}

int CommonOptions::numThreads() const
{
    return threads > 0 ? threads : availableCores();
}

} // namespace headscope::shell
