// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/split_text.h"

namespace headscope
{

std::vector<std::string> splitText(std::string_view text, char separator)
{
    std::vector<std::string> pieces;
    for (bool more = !text.empty(); more;)
    {
        const auto end = text.find(separator);
        more = end != std::string_view::npos;
        pieces.emplace_back(text.substr(0, end));
        text.remove_prefix(more ? end + 1 : text.size());
    }
    return pieces;
}

} // namespace headscope
