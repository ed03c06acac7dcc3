// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace headscope::desktop
{

/// "headscope" and its words as a line for a POSIX shell: words that need it are quoted.
[[nodiscard]] QString commandLine(const QStringList& words);

/// Documents as `--documents` takes them: "0-99,120".
/// @param documents  rows from 0, ascending
[[nodiscard]] QString documentRows(const std::vector<std::int64_t>& documents);

} // namespace headscope::desktop
