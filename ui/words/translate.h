// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace headscope::ui
{

/// Words of functions that belong to no class of Qt's.
[[nodiscard]] inline QString tr(const char* text)
{
    return QCoreApplication::translate("headscope::ui", text);
}

} // namespace headscope::ui
