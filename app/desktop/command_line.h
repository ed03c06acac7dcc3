// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace headscope::desktop
{

/// "headscope" and its words as a line for a POSIX shell: words that need it are quoted.
[[nodiscard]] QString commandLine(const QStringList& words);

} // namespace headscope::desktop
