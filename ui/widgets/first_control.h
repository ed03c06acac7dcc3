// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headscope::ui
{

/// Which controls may be given the keyboard.
enum class FirstControl
{
    Any,
    NoText, ///< a field of text would take the letters that are keys of views
};

/// Gives the keyboard to the first control of an area that takes it by Tab.
/// @return whether there was one
bool focusFirst(const QWidget& area, FirstControl which, Qt::FocusReason reason);

} // namespace headscope::ui
