// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>

class QWidget;

namespace headscope::ui
{

/// Assistive technology names a combo box by its accessible name or its label, and reads what is selected as its
/// value. On X11 and Wayland Qt gives the value as the name, too. A bar of tabs has its own name, not that of its
/// chosen tab, and a field for keys is an editable text, which Qt does not say. Once, before the first of them is made.
/// @threads GUI thread
void nameBoxesByLabel();

/// The role that assistive technology is told of a widget of our own, in place of Qt's "client", which says nothing.
void giveRole(QWidget& widget, QAccessible::Role role);

} // namespace headscope::ui
