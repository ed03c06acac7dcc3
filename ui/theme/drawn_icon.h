// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

#include <functional>

namespace headscope::ui
{

/// An icon whose pictures are drawn when one of them is first shown: most icons of a window are in views that nobody
/// has opened yet.
/// @param largest  side of its largest picture, in pixels
/// @param draw     makes an icon of pictures; called once, if at all
/// @threads GUI
[[nodiscard]] QIcon drawnIcon(int largest, std::function<QIcon()> draw);

} // namespace headscope::ui
