// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/serve/serve_command.h"
#include "app/engine/engine_verb.h"
#include "app/engine/serve/server.h"

#include <memory>

namespace headscope::engine
{

RunVerb declareServe(Fields& table)
{
    auto command = std::make_shared<commands::ServeCommand>();
    command->declare(table);
    return [command](VerbContext& context) { return Server(context, std::chrono::seconds(command->idle)).run(); };
}

} // namespace headscope::engine
