// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope::ui
{

class MapGrid;
class ViewState;

/// The zooms of a grid as a value of a state.
/// @param key  "grid0"
void bind(ViewState& state, const QString& key, MapGrid& grid);

} // namespace headscope::ui
