// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/serve/serve_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void ServeCommand::declare(Fields& table)
{
    table.option("--idle", idle, "seconds without a request after which the model's memory is released")
        .countFrom(1)
        .valueName("SECONDS");
    table.footer("Requests and answers are lines of JSON on standard input and output (app/engine/PROTOCOL.md).");
}

} // namespace headscope::commands
