// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/wrapped_text.h"

#include <algorithm>

namespace headscope
{

std::string wrappedText(std::string_view text, const TextLines& lines)
{
    std::string wrapped;
    std::size_t at = lines.begin;
    bool isFirst = true; // of its line
    for (std::size_t begin = 0; begin < text.size();)
    {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (!isFirst && at + 1 + (end - begin) > lines.width)
        {
            wrapped += '\n' + std::string(lines.indent, ' ');
            at = lines.indent;
            isFirst = true;
        }
        if (!isFirst)
            wrapped += ' ';
        wrapped += text.substr(begin, end - begin);
        at += (isFirst ? 0 : 1) + (end - begin);
        isFirst = false;
        begin = end + 1;
    }
    std::ranges::replace(wrapped, kNoBreak, ' ');
    return wrapped;
}

} // namespace headscope
