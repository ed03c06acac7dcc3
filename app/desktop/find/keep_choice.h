// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope::ui
{
class SelectionHub;
} // namespace headscope::ui

namespace headscope::desktop
{

/// Keeps the chosen documents as a named set; one of that name is replaced.
/// @param name  may be empty: the next free one
/// @return  what was kept, in a sentence, which says that a set holds no single points; "": nothing is chosen
/// @threads GUI thread
QString keepChoice(ui::SelectionHub& hub, const QString& name);

} // namespace headscope::desktop
