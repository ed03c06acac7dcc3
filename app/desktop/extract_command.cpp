// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/extract_command.h"

#include "ui/dialogs/extract_request.h"

namespace headscope::desktop
{

QStringList extractArguments(const ui::ExtractRequest& request, int threads)
{
    const QString threadsOption = QStringLiteral("--threads");
    QStringList arguments = {request.model,
                             request.texts,
                             QStringLiteral("-o"),
                             request.output,
                             QStringLiteral("--layers"),
                             request.layers,
                             QStringLiteral("--stages"),
                             request.stages};
    arguments << request.options;
    if (!request.options.contains(threadsOption))
        arguments << threadsOption << QString::number(threads);
    if (request.overwrite)
        arguments << QStringLiteral("--overwrite");
    return arguments;
}

} // namespace headscope::desktop
