// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/first_control.h"

#include <QLineEdit>

namespace headscope::ui
{

bool focusFirst(const QWidget& area, FirstControl which, Qt::FocusReason reason)
{
    for (QWidget* child : area.findChildren<QWidget*>())
        if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus) != 0 &&
            (which == FirstControl::Any || qobject_cast<QLineEdit*>(child) == nullptr))
        {
            child->setFocus(reason);
            return true;
        }
    return false;
}

} // namespace headscope::ui
