// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace headscope::desktop
{

/// "headscope WORD WORD ..." as a shell reads it back: words with unusual characters in single quotes.
[[nodiscard]] QString shellLine(const QStringList& words);

} // namespace headscope::desktop
