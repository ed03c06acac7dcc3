// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/common_options.h"

#include "app/shell/command.h"
#include "model/base/parallel.h"

namespace headscope::shell
{

void CommonOptions::declare(Command& command)
{
    command.option("--threads", threads, "worker threads (default: physical cores)").within(1, 4096);
    command.option("--seed", seed, "seed of everything random (default: 1)");
    command.flag("--json", json, "one JSON object on stdout, nothing else there");
    command.option("--progress", progress, "auto, json or off (on stderr)").oneOf({"auto", "json", "off"});
    command.flag("--overwrite", overwrite, "replace an existing output");
}

int CommonOptions::numThreads() const
{
    return threads > 0 ? threads : availableCores();
}

} // namespace headscope::shell
