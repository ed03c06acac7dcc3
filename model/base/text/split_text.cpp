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

std::string_view trimmed(std::string_view text, std::string_view blanks)
{
    const auto first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view beginningOf(std::string_view text, std::size_t bytes)
{
    if (text.size() <= bytes)
        return text;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U)
        --bytes;
    return text.substr(0, bytes);
}

} // namespace headscope
