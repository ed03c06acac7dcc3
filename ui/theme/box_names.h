// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui
{

/// Assistive technology names a combo box by its accessible name or its label, and reads what is selected as its
/// value. On X11 and Wayland Qt gives the value as the name, too. A field for keys is an editable text, which Qt does
/// not say. Once, before the first of them is made.
/// @threads GUI thread
void nameBoxesByLabel();

} // namespace headscope::ui
