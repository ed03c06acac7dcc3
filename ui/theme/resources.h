// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui
{

/// Makes the icons of resources/desktop.qrc known. A static library's resources are left out by the
/// linker unless someone asks for them; Theme::apply does.
void registerResources();

} // namespace headscope::ui
