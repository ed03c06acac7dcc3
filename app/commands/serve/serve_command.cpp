// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/serve/serve_command.h"

#include "app/shell/option_table.h"

namespace headscope::commands
{

void ServeCommand::declare(shell::OptionTable& table)
{
    table.option("--idle", idle, "seconds without a request after which the model's memory is given back")
        .countFrom(1)
        .valueName("SECONDS");
    table.footer("Requests and answers are lines of JSON on standard input and output (app/engine/PROTOCOL.md).");
}

} // namespace headscope::commands
