// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace headscope::ui
{

/// Names of files for a list: those that two files share are distinguished by as much of their folders as it takes,
/// "demo-cache.h5 (first)" and "demo-cache.h5 (second)".
/// @param paths  absolute, with slashes; a path that occurs twice has the same name twice
/// @return  a name for each, in their order
/// @cost    O(n^2) for n paths of one name
[[nodiscard]] QStringList distinctNames(const QStringList& paths);

} // namespace headscope::ui
