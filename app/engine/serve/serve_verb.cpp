// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/serve/serve_command.h"
#include "app/engine/engine_verb.h"
#include "app/engine/serve/server.h"

namespace headscope::engine
{

RunVerb declareServe(Fields& table)
{
    return verbOf<commands::ServeCommand>(table, [](const commands::ServeCommand& command, VerbContext& context) {
        return Server(context, std::chrono::seconds(command.idle)).run();
    });
}

} // namespace headscope::engine
