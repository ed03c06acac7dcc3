// SPDX-License-Identifier: GPL-3.0-or-later
// The files of this folder that a page holds, as they are: compiled in by headscope_embed_texts.
#pragma once

#include <string_view>

namespace headscope::report
{

[[nodiscard]] std::string_view pageStyle();   ///< page.css
[[nodiscard]] std::string_view pageScript();  ///< page.js
[[nodiscard]] std::string_view mapPoints();   ///< map_points.js
[[nodiscard]] std::string_view mapPainters(); ///< map_painters.js
[[nodiscard]] std::string_view liveMaps();    ///< live_map.js

} // namespace headscope::report
