// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/color_choice.h"

namespace headscope::ui
{

std::string ColorChoice::key() const
{
    return column.empty() ? coloring : coloring + ":" + column;
}

ColorChoice ColorChoice::fromKey(std::string_view key)
{
    const std::size_t colon = key.find(':');
    return {std::string(key.substr(0, colon)),
            colon == std::string_view::npos ? std::string() : std::string(key.substr(colon + 1))};
}

} // namespace headscope::ui
