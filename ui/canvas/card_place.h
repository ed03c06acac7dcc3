// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QSize>

namespace headscope::ui
{

/// Where a card goes: next to a place of its parent, inside the parent, and not over the place itself while there is
/// room on any side of it.
/// @param card, room  sizes of card and parent, in pixels
[[nodiscard]] QPoint placeOfCard(QPoint place, QSize card, QSize room);

} // namespace headscope::ui
