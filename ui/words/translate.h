// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace headscope::ui
{

/// tr() for functions outside of QObject classes.
[[nodiscard]] inline QString tr(const char* text)
{
    return QCoreApplication::translate("headscope::ui", text);
}

} // namespace headscope::ui
