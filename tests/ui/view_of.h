// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/main_window.h"

#include <QtGlobal>

namespace headscope::test
{

/// The view of this kind in a window.
template <class View>
View& viewOf(const ui::MainWindow& window)
{
    auto* view = window.findChild<View*>();
    Q_ASSERT(view != nullptr);
    return *view;
}

} // namespace headscope::test
